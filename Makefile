# make train   a policy in about five minutes        make test   the whole test suite
# make bench   speed beside OpenSpiel                make lint   style, types, arrows between rooms

PYTHON ?= python3.11
VENV := .venv
RUN := $(VENV)/bin/python

.PHONY: train test bench lint format clean

train: $(VENV)/installed
	$(RUN) -m training train configs/hearts_quick.yaml

test: $(VENV)/installed lint
	$(RUN) -m pytest -n 2

bench: $(VENV)/installed
	$(RUN) -m benchmarks

lint: $(VENV)/installed
	$(VENV)/bin/ruff check .
	$(VENV)/bin/ruff format --check .
	$(VENV)/bin/mypy
	$(VENV)/bin/lint-imports

format: $(VENV)/installed
	$(VENV)/bin/ruff check --fix .
	$(VENV)/bin/ruff format .

# PyTorch comes first and alone: with its pin, nothing else can bring in another build of it.
$(VENV)/installed: pyproject.toml constraints.txt
	test -x $(RUN) || $(PYTHON) -m venv $(VENV)
	$(RUN) -m pip install --quiet --disable-pip-version-check $(shell grep '^torch==' constraints.txt)
	$(RUN) -m pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[dev]'
	touch $@

clean:
	rm -rf $(VENV) build dist *.egg-info
