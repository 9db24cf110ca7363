"""Pictures of a character's moods through the whole bot: the model chooses, Telegram shows, the next prompt says so."""

from __future__ import annotations

import base64
import struct
from collections.abc import Mapping
from typing import cast

from bot.cards import load
from bot.personas import Personas
from bot.store import PostgresStore
from tests.cards.samples import as_json, card_chunk, charx, chunk, png, text_chunk
from tests.fakes.bot_api_values import Message
from tests.fakes.ports import ScriptedChat, do
from tests.telegram.persona_rig import carried_out, sends_card, told
from tests.telegram.serving_rig import serving

JOY = png(text_chunk("of", b"joy"))
ODD = b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", 1, 21, 8, 0, 0, 0, 0)) + chunk(b"IEND", b"")
"""Begins as a picture, and is of a shape that Telegram refuses."""

LONG = "Word " + ", word ".join(map(str, range(150)))
"""More than Telegram shows below a picture."""


def moods(**assets: str) -> Mapping[str, object]:
    """A card that has these pictures: name and address."""
    told_of = [{"type": "emotion", "name": name, "uri": uri, "ext": "png"} for name, uri in assets.items()]
    data = {"name": "Mirelle", "description": "Grows orchids.", "assets": told_of}
    return {"spec": "chara_card_v3", "spec_version": "3.0", "data": data}


def in_png(**pictures: bytes) -> bytes:
    chunks = [text_chunk(f"chara-ext-asset_:{name}", base64.b64encode(data)) for name, data in pictures.items()]
    return png(card_chunk(moods(**{name: f"__asset:{name}" for name in pictures})), *chunks)


def in_charx(**pictures: bytes) -> bytes:
    card = moods(**{name: f"embeded://assets/{name}.png" for name in pictures})
    return charx({"card.json": as_json(card), **{f"assets/{name}.png": data for name, data in pictures.items()}})


def size(message: Message) -> int | None:
    """The bytes of the photo that a message is; None when it is none."""
    photo = message.content.get("photo")
    return cast("list[dict[str, int]]", photo)[0]["file_size"] if photo else None


async def test_a_picture_goes_with_the_first_bubble_and_the_bot_knows_that_it_did(
    store: PostgresStore, dsn: str
) -> None:
    model = ScriptedChat(
        do("send_message", messages=["Look!", "Well?"], picture="Joy"),
        do("send_message", messages=["And this."], picture="odd"),
        do("send_message", messages=["Done."]),
    )
    async with serving(store, dsn, chat=model) as r:
        ann = r.api.person("Ann")
        await sends_card(r, ann, r.bot, in_png(joy=JOY, odd=ODD))
        here = r.api.private(ann, r.bot)
        await told(r, here, 1)
        for said in (3, 4, 5):
            await ann.says(r.bot, "show me")
            await told(r, here, said)
        messages = (await r.api.sent(here, 5))[1:]
        assert [(message.text, size(message)) for message in messages] == [
            ("Look!", len(JOY)),
            ("Well?", None),
            ("And this.", None),
            ("Done.", None),
        ]
        assert len(r.api.requests("sendPhoto")) == 2, "what Telegram refuses is tried once"
        await carried_out(r)
    first, *_, last = model.asked
    assert '"picture": null mostly, or one of your pictures to show with them: "joy", "odd"' in first.system
    assert "picture" in str(first.schema)
    assert "<Mirelle (you)> (picture: joy) Look!\n" in last.user
    assert last.user.count("(picture:") == 1
    kept = "SELECT text, emotion FROM messages WHERE emotion IS NOT NULL"
    assert [tuple(row) for row in await r.rows(kept)] == [("Look!", "joy")]
    out = "SELECT emotion, state FROM outbox WHERE picture IS NOT NULL ORDER BY queued_at"
    assert [tuple(row) for row in await r.rows(out)] == [("joy", "sent"), ("odd", "sent")]


async def test_the_card_of_the_settings_has_pictures_too_for_as_long_as_its_file_is_the_same(
    store: PostgresStore, dsn: str
) -> None:
    before, after = load(in_charx(joy=JOY)), load(in_charx(joy=ODD))
    model = ScriptedChat(
        *(
            do("send_message", messages=[text], picture=picture)
            for text, picture in (("Look!", "joy"), (LONG, "joy"), ("And that.", "rage"))
        )
    )
    async with serving(store, dsn, chat=model, card=lambda: before) as r:
        seen: list[tuple[str, int | None]] = []
        for name in ("Ann", "Bob", "Eve"):  # each chat gets one message a second
            person = r.api.person(name)
            await person.says(r.bot, "show me")
            [message] = await r.api.sent(r.api.private(person, r.bot), 1)
            seen.append((message.text, size(message)))
        assert seen == [("Look!", len(JOY)), (LONG, None), ("And that.", None)]
        assert not await r.rows("SELECT FROM cards")
    out = "SELECT picture, emotion FROM outbox ORDER BY queued_at"
    assert [tuple(row) for row in await r.rows(out)] == [(before.sha256, "joy")] * 2 + [(None, None)]
    assert [row[0] for row in await r.rows("SELECT emotion FROM messages WHERE persona IS NOT NULL ORDER BY 1")] == [
        "joy",
        None,
        None,
    ]
    problems = "SELECT account -> 'steps' -> 0 -> 'parsed' ->> 'problem' FROM turns ORDER BY 1"
    assert [row[0] for row in await r.rows(problems)] == ["unknown_picture", None, None]
    changed = Personas(store.personas, default=lambda: after, default_persona=after.persona)
    assert await changed.picture(after.sha256, "joy") == ODD
    assert await changed.picture(before.sha256, "joy") is None
