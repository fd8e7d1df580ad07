# make train   a policy in about five minutes        make test   the whole test suite
# make bench   speed beside OpenSpiel                make lint   style, types, arrows between rooms

PYTHON ?= python3.11
VENV := .venv
RUN := $(VENV)/bin/python

.PHONY: train test test-oldest bench lint format clean

train: $(VENV)/installed
	$(RUN) -m training train configs/hearts_quick.yaml

test: $(VENV)/installed lint
	$(RUN) -m pytest -n 2

# The oldest versions that pyproject.toml allows, PyTorch excepted. They may warn that what they use will go.
OLDEST := .venv-oldest
test-oldest: $(OLDEST)/installed
	$(OLDEST)/bin/python -m pytest -n 2 -W ignore::DeprecationWarning tests/test_pettingzoo.py tests/test_batch.py tests/test_run.py \
		tests/libraries/test_gymnasium.py tests/libraries/test_stable_baselines3.py tests/libraries/test_torch.py

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

$(OLDEST)/installed: pyproject.toml constraints.txt tests/oldest.py
	test -x $(OLDEST)/bin/python || $(PYTHON) -m venv $(OLDEST)
	$(OLDEST)/bin/python -m tests.oldest > $(OLDEST)/constraints.txt
	$(OLDEST)/bin/python -m pip install --quiet --disable-pip-version-check $(shell grep '^torch==' constraints.txt)
	$(OLDEST)/bin/python -m pip install --quiet --disable-pip-version-check -c $(OLDEST)/constraints.txt \
		-e '.[train]' pytest pytest-xdist hypothesis
	touch $@

clean:
	rm -rf $(VENV) $(OLDEST) build dist *.egg-info
