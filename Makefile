# `make run` and `make test` do everything on a fresh machine; no other step is needed.

PYTHON ?= python3
HOST ?= 0.0.0.0
PORT ?= 8000
BIN := .venv/bin
CATALOGS := $(patsubst %.po,%.mo,$(wildcard scorer/translations/*/LC_MESSAGES/*.po))

.PHONY: help run pocket demo test test-fast lint types style translations vendor rules docs screenshots bench clean browsers pocket-slow hall torture audit

help:
	@echo "make run           set everything up, serve, print address and QR code (HOST, PORT)"
	@echo "make pocket        build what lets phones work without network (npm, Node.js)"
	@echo "make demo          write an evening for each region and a Preiswatten into the database"
	@echo "make test          set everything up and run all checks and tests"
	@echo "make test-fast     the engine, the store, the tournament and the examples in the code"
	@echo "make torture       kills, failing disks and hostile requests at length: hours"
	@echo "make lint          style, types and spelling"
	@echo "make translations  collect new sentences into the language files"
	@echo "make vendor        fetch the pinned scripts into static/vendor"
	@echo "make rules         write docs/rules from the rulebook"
	@echo "make docs          write docs/engine.md from the engine's docstrings"
	@echo "make screenshots  take the pictures of the README"
	@echo "make browsers      go on without network in Debian's Firefox and WebKitGTK"
	@echo "make pocket-slow   measure how long a phone four times slower takes to wake and to answer"
	@echo "make hall          play a long evening of 256 pairs against a real server"
	@echo "make audit         ask whether a dependency has a known vulnerability"
	@echo "make bench         measure against bare baselines"
	@echo "make clean         remove the environment and what tests left"

run: .venv/run $(CATALOGS)
	@$(MAKE) --silent instance/pocket/sw.js BUILT=--optional || true
	@exec $(BIN)/python -m scorer serve --host "$(HOST)" --port "$(PORT)"

# What makes a phone a Bummerl of its own; needs npm, and everything else works without it.
pocket: instance/pocket/sw.js

instance/pocket/sw.js: $(CATALOGS) | .venv/run
instance/pocket/sw.js: $(shell find scorer templates static -name '*.py' -o -name '*.html' -o -name '*.toml' -o -name '*.js' -o -name '*.mjs' -o -name '*.css' -o -name '*.po' -o -name '*.json')
	@$(BIN)/python -m scorer pocket $(BUILT)

demo: .venv/run $(CATALOGS)
	@$(BIN)/python -m scorer demo

# Each worker has a server and a Chromium of its own; a file's tests stay with one of them. The files
# come in the order of tests/conftest.py.
test: .venv/test
	@$(MAKE) --silent --jobs 2 lint
	@sh tools/chromium.sh
	@sh tools/postgres.sh
	$(BIN)/python -m pytest -n auto --dist loadfile --no-loadscope-reorder --durations 20

test-fast: .venv/test
	@sh tools/postgres.sh
	$(BIN)/python -m pytest -n auto tests/engine tests/store tests/tournament tests/book scorer

# The same as in `make test`, at length: 1,000 kills, every write that can fail, an hour of fuzz.
torture: .venv/test
	@sh tools/postgres.sh
	BUMMERL_TORTURE=1 $(BIN)/python -m pytest -n auto --dist worksteal --timeout 0 tests/torture

browsers: .venv/test
	OTHER_BROWSERS=1 $(BIN)/python -m pytest tests/browser/test_others.py

# A measurement: nothing else should run meanwhile.
pocket-slow: .venv/test
	@sh tools/chromium.sh
	SLOW_PHONE=1 $(BIN)/python -m pytest -rP tests/browser/test_slow_phone.py

hall: .venv/test
	@sh tools/chromium.sh
	HALL_PAIRS=256 HALL_ROUNDS=12 $(BIN)/python -m pytest tests/browser/test_hall.py

lint: types style

types: .venv/test
	$(BIN)/mypy

style: .venv/test
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/djlint --lint --quiet templates
	$(BIN)/codespell

audit: .venv/test
	$(BIN)/python -m tools.audit

translations: .venv/test
	$(BIN)/python tools/translations.py

vendor: .venv/run
	$(BIN)/python tools/vendor.py

rules: .venv/run
	$(BIN)/python tools/rules.py

docs: .venv/run
	$(BIN)/python -m tools.engine_page

screenshots: .venv/test
	@sh tools/chromium.sh
	$(BIN)/python -m tools.screenshots

bench: .venv/test
	$(BIN)/python -m bench

clean:
	rm -rf .venv dist .pytest_cache .mypy_cache .ruff_cache .hypothesis

# What is installed already needs no network, however new the file is that names it. An environment
# whose Python is gone is made anew.
.venv/run: pyproject.toml $(if $(wildcard $(BIN)/python),,FORCE)
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || \
		{ echo "Bummerl needs Python 3.11 or newer: install it, or name it with PYTHON=..."; exit 1; }
	@$(PYTHON) tools/environment.py
	@touch $@

.venv/test: .venv/run $(CATALOGS)
	@$(PYTHON) tools/environment.py test
	@touch $@

# An editable install compiles them all; this is for those that changed since.
$(CATALOGS): %.mo: %.po | .venv/run
	@echo "Compiling $< ..."
	@$(BIN)/python -m scorer.catalogs $<
	@touch $@

.PHONY: FORCE
FORCE:
