# make train   a policy in about five minutes        make test   the whole test suite
# make bench   speed beside OpenSpiel                make lint   style, types, arrows between rooms
# make test-libraries   tests and examples with libraries that need an environment of their own

PYTHON ?= python3.11
VENV := .venv
RUN := $(VENV)/bin/python

# Libraries that do not fit into the development environment, each with an environment of its own; and the pins of
# constraints.txt that one of them cannot keep.
LIBRARIES := tianshou agilerl rllib
UNPINNED_agilerl := pettingzoo|tensordict|torchrl
UNPINNED_rllib := gymnasium

.PHONY: test-libraries $(LIBRARIES) train test test-oldest bench lint format clean

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

test-libraries: $(LIBRARIES)

$(LIBRARIES): %: .venv-%/installed
	.venv-$*/bin/python -m pytest $(wildcard tests/libraries/test_$**.py)
	.venv-$*/bin/python -m examples.$*_hearts --rollouts 4 --deals 100

.venv-%/installed: pyproject.toml constraints.txt
	test -x .venv-$*/bin/python || $(PYTHON) -m venv .venv-$*
	grep -vE '^($(or $(UNPINNED_$*),none))==' constraints.txt > .venv-$*/constraints.txt
	.venv-$*/bin/pip install --quiet --disable-pip-version-check $(shell grep '^torch==' constraints.txt)
	.venv-$*/bin/pip install --quiet --disable-pip-version-check -c .venv-$*/constraints.txt -e '.[$*]' pytest hypothesis
	touch $@

clean:
	rm -rf $(VENV) $(OLDEST) $(LIBRARIES:%=.venv-%) build dist *.egg-info
