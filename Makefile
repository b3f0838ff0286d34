# Needs Python 3.11 or newer and make; everything else goes into .venv.
PYTHON ?= python3
VENV := .venv
RUN := $(VENV)/bin/python
INSTALLED := $(VENV)/.installed

.PHONY: help quickstart test check format fuzz docs clean

help: ## list the commands
	@grep -hE '^[a-z]+:.*##' $(MAKEFILE_LIST) | sed 's/:.*## /\t/' | expand -t 14

$(INSTALLED): pyproject.toml constraints.txt
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "trickenv needs Python 3.11 or newer; set PYTHON=/path/to/python3.11 (found: $$($(PYTHON) --version))"; exit 1; }
	@echo "== installing into $(VENV) (once; about two minutes, most of it PyTorch)"
	@$(PYTHON) -m venv $(VENV)
	@$(RUN) -m pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[dev]'
	@touch $@
	@echo "== installed"

quickstart: $(INSTALLED) ## train an agent on Trionfo (two minutes), then let it play the bots
	@$(RUN) -m experiments.quickstart

test: $(INSTALLED) ## run the whole suite
	@$(RUN) -m pytest -n 2

check: $(INSTALLED) ## lint, format, types and the fast tests
	@$(RUN) -m ruff check .
	@$(RUN) -m ruff format --check .
	@$(RUN) -m pyright
	@$(RUN) -m pytest -n 2 -m 'not slow'

format: $(INSTALLED) ## rewrite the code in the house format
	@$(RUN) -m ruff check --fix .
	@$(RUN) -m ruff format .

fuzz: $(INSTALLED) ## 10,000 random matches of every preset, bounds checked, every state looked through
	@$(RUN) -m experiments.fuzz

docs: $(INSTALLED) ## print the tables in docs/ anew from the code
	@$(RUN) -m experiments.document

clean: ## remove the virtual environment and caches
	rm -rf $(VENV) .pytest_cache .ruff_cache
