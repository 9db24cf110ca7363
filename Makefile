# `make chat` to talk, `make test` to check everything. Both make the environment themselves.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check --no-input install --quiet

.PHONY: chat run test test-store lint format lock soak bench wheel clean

chat: $(VENV)/.runtime
	@$(BIN)/companion chat

run: $(VENV)/.runtime
	@$(BIN)/companion run

test: $(VENV)/.dev $(VENV)/.stack lint
	$(BIN)/pytest -n 2

# The tests of the store on the server that DATABASE_URL names, in databases of their own there.
test-store: $(VENV)/.dev
	$(BIN)/pytest -n 2 -rs --on-database-url tests/store --ignore tests/store/test_embedded.py

soak: $(VENV)/.dev
	$(BIN)/pytest -n 2 -m soak

lint: $(VENV)/.dev
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/lint-imports
	$(BIN)/basedpyright

format: $(VENV)/.dev
	$(BIN)/ruff check --fix
	$(BIN)/ruff format

bench: $(VENV)/.dev
	$(BIN)/companion bench turn

wheel: $(VENV)/.dev
	$(BIN)/python -m build --wheel --no-isolation

# New pins for what pyproject.toml asks for. Needs uv; the files name no index.
LOCK := uv pip compile pyproject.toml --universal --python-version 3.11 --generate-hashes \
	--no-emit-index-url --no-header --quiet --upgrade
lock:
	$(LOCK) --group build -o requirements/runtime.txt
	$(LOCK) --group dev -c requirements/runtime.txt -o requirements/dev.txt

$(VENV)/bin/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
		{ echo 'Companion needs Python 3.11 or newer; name one with make PYTHON=python3.12 …' >&2; exit 1; }
	@echo 'making the environment in $(VENV)'
	@$(PYTHON) -m venv $(VENV) || \
		{ rm -rf $(VENV); echo "this Python cannot make environments; on Debian: apt install python3-venv" >&2; exit 1; }

$(VENV)/.runtime: pyproject.toml requirements/runtime.txt | $(VENV)/bin/python
	@echo 'installing what Companion needs (the first time takes a minute)'
	@$(PIP) --require-hashes -r requirements/runtime.txt
	@$(PIP) --no-deps --no-build-isolation -e .
	@touch $@

$(VENV)/.dev: requirements/dev.txt $(VENV)/.runtime
	@echo 'installing what its tests need'
	@$(PIP) --require-hashes -r requirements/dev.txt
	@touch $@

$(VENV)/.stack: tests/stack/fetch.sh tests/stack/package-lock.json $(VENV)/.dev
	@tests/stack/fetch.sh $(VENV)
	@touch $@

clean:
	rm -rf $(VENV) tests/stack/node_modules dist build .pytest_cache .ruff_cache .hypothesis .import_linter_cache
