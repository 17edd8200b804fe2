# All you need is Python 3.11 or newer and make.
# To use another Python: make PYTHON=python3.12 test

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check install --quiet --constraint constraints.txt

# Installing leaves a stamp, so that it only happens again when the dependencies have changed.
INSTALLED := $(VENV)/installed
INSTALLED_DEV := $(VENV)/installed-dev
# Installing compiles the message catalogues.
CATALOGUES := $(wildcard src/brassmill/locale/*/LC_MESSAGES/brassmill.po)

.DEFAULT_GOAL := help
.PHONY: help play test tests test-all browser postgresql lint format docs messages proofs bench clean

help: ## show this help
	@grep -E '^[a-z-]+:.*## ' Makefile | sed -E 's/^([a-z-]+):.*## /  make \1\t/' | expand -t 16

play: $(INSTALLED) ## play in the browser
	@$(BIN)/brass serve

lint: $(INSTALLED_DEV) ## check format, style, types and imports
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports --no-logo

# Tests start hundreds of processes, which should not all compile the modules again.
unexport PYTHONDONTWRITEBYTECODE

test: lint browser postgresql ## do the same, run the quick tests and build the docs (5 minutes)
	$(BIN)/pytest --numprocesses auto --dist worksteal -m "not slow"
	$(BIN)/sphinx-build -q -W --keep-going -b html docs docs/_build/html

tests: test

# A file of slow tests starts its servers once, so one process runs the whole file.
test-all: test ## do the same, then run the slow tests (half an hour)
	$(BIN)/pytest --numprocesses auto --dist loadfile --no-loadscope-reorder -m slow --durations 40

# Some tests need a browser or a PostgreSQL server. Both are installed if that is possible without
# asking; otherwise those tests are skipped, and pytest says so at the end.
APT = { [ "$$(id -u)" = 0 ] && command -v apt-get && apt-get -qq update && \
  DEBIAN_FRONTEND=noninteractive apt-get -qq --yes --no-install-recommends install $(1); \
  } >/dev/null 2>&1 || true

browser:
	@command -v chromium-headless-shell >/dev/null || $(call APT,chromium-headless-shell)
	@command -v chromium-headless-shell >/dev/null || command -v chromium >/dev/null || \
	  $(call APT,chromium)

postgresql:
	@command -v initdb >/dev/null || ls /usr/lib/postgresql/*/bin/initdb >/dev/null 2>&1 || \
	  $(call APT,postgresql)

format: $(INSTALLED_DEV) ## format the code and apply ruff's fixes
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

docs: $(INSTALLED_DEV) ## write the generated pages and build docs/_build/html
	$(BIN)/python docs/tables.py
	$(BIN)/python docs/diagrams.py
	$(BIN)/python docs/pictures.py
	$(BIN)/python docs/figures.py
	$(BIN)/sphinx-build -q -W --keep-going -b html docs docs/_build/html

messages: | $(BIN)/pybabel ## update the message catalogues and compile them
	$(BIN)/python messages.py
	@# No need to install again just to compile them.
	@[ pyproject.toml -nt $(INSTALLED_DEV) ] || [ constraints.txt -nt $(INSTALLED_DEV) ] || \
	  touch $(INSTALLED_DEV) $(INSTALLED)

proofs: $(INSTALLED_DEV) ## rewrite the perft counts, the playthroughs and the bots' decisions
	cd tests && ../$(BIN)/python -m support.perft
	cd tests && ../$(BIN)/python -m support.decisions
	cd tests && ../$(BIN)/python -m support.playthrough

bench: $(INSTALLED) ## measure the speed of the rules
	@$(BIN)/brass bench

clean: ## remove the virtual environment and everything built
	rm -rf $(VENV) docs/_build .hypothesis .import_linter_cache .mypy_cache .pytest_cache .ruff_cache

$(INSTALLED): pyproject.toml constraints.txt $(CATALOGUES) | $(BIN)/python
	@echo "Installing (about a minute) ..."
	@$(PIP) --editable .
	@$(BIN)/python -m compileall -q src
	@touch $@

$(INSTALLED_DEV): pyproject.toml constraints.txt $(CATALOGUES) | $(BIN)/python
	@echo "Installing (about a minute) ..."
	@$(PIP) --editable '.[dev]'
	@$(BIN)/python -m compileall -q src
	@touch $@ $(INSTALLED)

$(BIN)/pybabel:
	@$(MAKE) --no-print-directory $(INSTALLED_DEV)

$(BIN)/python:
	@command -v $(PYTHON) >/dev/null || { \
	  echo "$(PYTHON) was not found: install Python 3.11 or newer, or name one: make PYTHON=..."; exit 1; }
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { \
	  echo "Brassmill needs Python 3.11 or newer, but $(PYTHON) is $$($(PYTHON) --version):" \
	    "name another one: make PYTHON=python3.12 ..."; exit 1; }
	@$(PYTHON) -c 'import ensurepip, venv' 2>/dev/null || { \
	  echo "$(PYTHON) has no venv module: install it (Debian, Ubuntu: apt install python3-venv)"; exit 1; }
	$(PYTHON) -m venv $(VENV)
