# make demo runs the main job, make test runs everything that CI runs. `make` alone lists the targets.

SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.NOTPARALLEL:
MAKEFLAGS += --no-builtin-rules

VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check -qq
INSTALL := $(PIP) install --constraint constraints.txt
PYTEST_ARGS ?=
# Each file on one of as many processes as there are cores, four at most: some tests are a crowd themselves.
PYTEST := -m pytest --numprocesses auto --maxprocesses 4 --dist loadfile --no-loadscope-reorder
SDK1 := agent-client-protocol[http]==1.0.0rc3 httpcore2==2.16.2 httpx2==2.16.2 starlette==1.10.0 truststore==0.10.5

.PHONY: help demo test check fix bench soak docs screenshots catalogues constraints clean

help:
	@echo "make demo         create .venv, install, and run the demo conversation in this terminal"
	@echo "make test         set up everything the tests need, then lint, type-check and test (what CI runs)"
	@echo "make check        the part of it without the tests: ruff, mypy, import-linter, generated pages"
	@echo "make fix          let ruff repair and format what it can"
	@echo "make catalogues   bring the message catalogues up to date with the source"
	@echo "make docs         write the generated pages of docs/ again"
	@echo "make screenshots  make the pictures of docs/images again"
	@echo "make bench        measure one question beside the official SDKs, and what the leak guard costs"
	@echo "make soak         pass a million messages through the proxy, and tell its rate and its memory"
	@echo "make constraints  pin the newest versions that pyproject.toml allows"
	@echo "make clean        remove everything that these targets created"

demo: $(VENV)/.for-demo
	@$(BIN)/acp-elicit demo

test: check tests/node_modules/.installed $(VENV)-sdk1/.installed
	@tools/need.sh tmux tmux
	@tools/need.sh icuinfo icu-devtools
	@tools/need.sh chromium chromium
	@tools/need.sh redis-server redis-server
	@tools/need.sh initdb postgresql
	rm -f .coverage .coverage.*
	$(BIN)/coverage run $(PYTEST) $(PYTEST_ARGS)
	$(BIN)/coverage combine --quiet
	$(BIN)/coverage report
	$(BIN)/python -m tools.mirror
	$(VENV)-sdk1/bin/python -m pytest -p no:cacheprovider tests/unit/bridges tests/property/test_lossless_sdk.py --ignore tests/unit/bridges/mcp

check: $(VENV)/.developed
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy
	$(BIN)/lint-imports --no-logo
	$(BIN)/python -m tools.lifecycle --check
	$(BIN)/python -m tools.links --check
	$(BIN)/python -m tools.types_table --check
	$(BIN)/python -m tools.secrets_table --check
	$(BIN)/python -m tools.catalogues --check
	$(BIN)/python -m tools.conformance --check

fix: $(VENV)/.developed
	$(BIN)/ruff check --fix
	$(BIN)/ruff format

docs: $(VENV)/.developed
	$(BIN)/python -m tools.lifecycle
	$(BIN)/python -m tools.links
	$(BIN)/python -m tools.types_table
	$(BIN)/python -m tools.secrets_table
	$(BIN)/python -m tools.conformance

# Chinese takes a font that has it; the tests make the same pictures without looking at them.
screenshots: $(VENV)/.developed
	@tools/need.sh chromium chromium
	@tools/need.sh fc-list fontconfig
	@fc-list :lang=zh | grep -q . || { echo "no font has Chinese: install one (Debian: fonts-wqy-microhei)" >&2; exit 1; }
	$(BIN)/python -m tests.pictures

catalogues: $(VENV)/.developed
	$(BIN)/python -m tools.catalogues

bench: $(VENV)/.developed tests/node_modules/.installed
	$(BIN)/python -m benchmarks.run
	$(BIN)/python -m benchmarks.leak_guard

soak: $(VENV)/.developed
	$(BIN)/python -m benchmarks.proxy

constraints:
	tools/constraints.sh

clean:
	rm -rf $(VENV) $(VENV)-sdk1 tests/node_modules build dist .coverage .coverage.*
	rm -rf .mypy_cache .ruff_cache .pytest_cache .import_linter_cache .hypothesis

# The build backend is pinned like the rest, so it is installed first and used without isolation.
$(VENV)/.installed: pyproject.toml constraints.txt
	@echo "creating $(VENV)"
	@tools/venv.sh $(VENV)
	@$(INSTALL) hatchling
	@$(INSTALL) --no-build-isolation --editable .
	@touch $@

# The demo shows the best that a terminal can do.
$(VENV)/.for-demo: $(VENV)/.installed
	@$(INSTALL) --no-build-isolation --editable '.[tui]'
	@touch $@

$(VENV)/.developed: $(VENV)/.installed
	@echo "installing the tools for development"
	@$(INSTALL) --no-build-isolation --editable '.[dev]'
	@touch $@

# The newest pre-release of the official SDK, for the bridge to be tested with as well.
$(VENV)-sdk1/.installed: pyproject.toml constraints.txt
	@echo "creating $(VENV)-sdk1 with $(firstword $(SDK1))"
	@tools/venv.sh $(VENV)-sdk1
	@grep -v '^agent-client-protocol==' constraints.txt >$(VENV)-sdk1/constraints.txt
	@$(VENV)-sdk1/bin/python -m pip --disable-pip-version-check -qq install --constraint $(VENV)-sdk1/constraints.txt \
		hatchling pytest pytest-asyncio pytest-timeout hypothesis uvicorn $(SDK1)
	@$(VENV)-sdk1/bin/python -m pip --disable-pip-version-check -qq install --constraint $(VENV)-sdk1/constraints.txt \
		--no-build-isolation --editable .
	@touch $@

tests/node_modules/.installed: tests/package.json
	@tools/need.sh node nodejs npm
	@tools/need.sh npm nodejs npm
	cd tests && npm install --no-package-lock --no-audit --no-fund --ignore-scripts --loglevel=error
	@touch $@
