# `make run` and `make test` do everything on a fresh machine; no other step is needed.

# Compiled modules are kept: hundreds of processes start in `make test`, each in a third of the time.
unexport PYTHONDONTWRITEBYTECODE

PYTHON ?= python3
HOST ?= 0.0.0.0
PORT ?= 8000
SITE ?= site
BIN := .venv/bin
PYTEST := $(BIN)/python -m pytest --dist loadfile --no-loadscope-reorder
PIN := $(BIN)/uv pip compile pyproject.toml --quiet --universal --python-version 3.11 --no-annotate --no-header
CATALOGS := $(patsubst %.po,%.mo,$(wildcard scorer/translations/*/LC_MESSAGES/*.po))
RUNNING := .venv/requirements.txt $(CATALOGS)
TESTING := .venv/requirements-test.txt $(CATALOGS)

.PHONY: help run pocket site demo test test-all test-fast requirements lint types style translations vendor rules screenshots page-gallery bench clean browsers pocket-slow hall torture audit

help:
	@echo "make run           set everything up, serve, print address and QR code (HOST, PORT)"
	@echo "make pocket        build what lets phones work without network (npm, Node.js)"
	@echo "make site           build a static site that needs no server, into a folder (SITE)"
	@echo "make demo          write an evening for each region and a Preiswatten into the database"
	@echo "make test          set everything up and run the checks and tests of every change"
	@echo "make test-all      the same and the slow tests: kills, whole halls, the offline app"
	@echo "make test-fast     the engine, the databases, the book, the rules of tournaments and the doctests"
	@echo "make torture       the torture tests at length: kills, failing disks, hostile requests; hours"
	@echo "make lint          style, types and spelling"
	@echo "make translations  collect new sentences into the language files"
	@echo "make vendor        fetch the pinned scripts into static/vendor"
	@echo "make rules         write docs/rules from the rulebook"
	@echo "make screenshots   take the pictures of the README"
	@echo "make page-gallery  take pictures of every page (WIDTHS, LANGUAGES, SCHEMES, PAGES)"
	@echo "make browsers      go on without network in Debian's Firefox and WebKitGTK"
	@echo "make pocket-slow   measure how long a phone four times slower takes to wake and to answer"
	@echo "make hall          play a long evening of 256 pairs against a real server"
	@echo "make requirements  pin the newest releases that pyproject.toml allows"
	@echo "make audit         ask whether a dependency has a known vulnerability"
	@echo "make bench         measure against bare baselines"
	@echo "make clean         remove the environment and what tests left"

# Serves at once; what phones need to work offline is built beside the server.
run: $(RUNNING)
	@{ $(MAKE) --silent --question instance/pocket/sw.js || $(BIN)/python -m scorer pocket --optional; } &
	@exec $(BIN)/python -m scorer serve --host "$(HOST)" --port "$(PORT)"

# The app that phones run offline; needs npm and Node.js, and everything else works without it.
pocket: .venv/requirements.txt instance/pocket/sw.js

instance/pocket/sw.js: $(CATALOGS)
instance/pocket/sw.js: $(shell find scorer templates static -name '*.py' -o -name '*.html' -o -name '*.toml' -o -name '*.js' -o -name '*.mjs' -o -name '*.css' -o -name '*.po' -o -name '*.json')
	@$(BIN)/python -m scorer pocket

# Files for any web space: Bummerl without a server.
site: .venv/requirements.txt $(CATALOGS)
	@$(BIN)/python -m scorer pocket --out "$(SITE)"

demo: $(RUNNING)
	@$(BIN)/python -m scorer demo

# Each worker has a server and a Chromium of its own; a file's tests stay with one of them. The files
# come in the order of tests/conftest.py.
test: services
	@$(MAKE) --silent --jobs 2 lint
	$(PYTEST) -n auto -m "not slow" --durations 20

# Everything: `make test` with all random examples, then the slow tests, one for each processor.
test-all: export BUMMERL_ALL_TESTS := 1
test-all: test
	$(PYTEST) -n 2 -m slow --durations 20

test-fast: $(TESTING)
	@sh tools/postgres.sh
	$(BIN)/python -m pytest -n auto -m "not slow" tests/engine tests/store tests/tournament tests/book scorer

.PHONY: services
services: $(TESTING)
	@sh tools/chromium.sh
	@sh tools/postgres.sh

# Tests of `make test-all` at length: 1,000 kills, every write that can fail, an hour of fuzz, 6,000 slips.
torture: $(TESTING)
	@sh tools/chromium.sh
	@sh tools/postgres.sh
	BUMMERL_TORTURE=1 $(BIN)/python -m pytest -n auto --dist worksteal --timeout 0 tests/torture tests/browser/test_typist.py

browsers: $(TESTING)
	OTHER_BROWSERS=1 $(BIN)/python -m pytest tests/browser/test_other_browsers.py

# A measurement: nothing else should run meanwhile.
pocket-slow: $(TESTING)
	@sh tools/chromium.sh
	SLOW_PHONE=1 $(BIN)/python -m pytest -rP tests/browser/test_slow_phone.py

hall: $(TESTING)
	@sh tools/chromium.sh
	HALL_PAIRS=256 HALL_ROUNDS=12 $(BIN)/python -m pytest tests/browser/test_whole_tournament.py

lint: types style

types: $(TESTING)
	$(BIN)/mypy

style: $(TESTING)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/djlint --lint --quiet templates
	$(BIN)/codespell

audit: $(TESTING)
	$(BIN)/python -m tools.audit

translations: $(TESTING)
	$(BIN)/python -m tools.collect_translations

vendor: .venv/requirements.txt
	$(BIN)/python -m tools.vendor

rules: .venv/requirements.txt
	$(BIN)/python -m tools.rules

screenshots: $(TESTING)
	@sh tools/chromium.sh
	$(BIN)/python -m tools.screenshots

page-gallery: $(TESTING)
	@sh tools/chromium.sh
	$(BIN)/python -m tools.page_gallery

bench: $(TESTING)
	$(BIN)/python -m bench

clean:
	rm -rf .venv dist .pytest_cache .mypy_cache .ruff_cache .hypothesis

# Installs pinned requirements when the file's content has changed, or when Python is gone.
.venv/%.txt: FORCE
	@cmp -s $*.txt $@ && $(BIN)/python -c '' 2>/dev/null || sh tools/install.sh "$(PYTHON)" $*.txt

$(CATALOGS): %.mo: %.po | .venv/requirements.txt
	@echo "Compiling $< ..."
	@$(BIN)/python -m scorer.catalogs $<
	@touch $@

requirements: .venv/requirements-test.txt
	@$(BIN)/python -m pip install --quiet uv
	$(PIN) -o requirements.txt
	$(PIN) -o requirements-test.txt --extra test --constraint requirements.txt

.PHONY: FORCE
FORCE:
