# Every target sets up what it needs from nothing: a virtual environment in this checkout, no global installs.
PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
STAMP  := $(VENV)/.installed

.PHONY: help demo test test-kafka lint types bench peers bench-detection bench-traces pages clean

help:
	@echo "make demo | test | test-kafka | lint | types | bench | peers | bench-detection | bench-traces | pages | clean"

$(STAMP): pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[dev]'
	touch $@

demo: $(STAMP)
	$(BIN)/stallwatch demo $(ARGS)

test: $(STAMP)
	$(BIN)/python -m pytest tests -m 'not kafka and not traces' $(ARGS)

test-kafka: $(STAMP)
	$(BIN)/python -m pytest tests/kafka -m kafka $(ARGS)

lint: $(STAMP)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(STAMP)
	$(BIN)/mypy

bench: $(STAMP)
	$(BIN)/python -m bench.detector $(ARGS)
	$(BIN)/python -m bench.pipeline $(ARGS)

# Other guards for `bench.detector`, apart from the environment: their modules have general names.
peers: $(STAMP)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --upgrade --target .peers \
	  hermes-agent==0.19.0 agentguard47==2.0.0

bench-detection: $(STAMP)
	$(BIN)/python -m bench.cases
	$(BIN)/python -m bench.detection $(ARGS)

bench-traces: $(STAMP)
	$(BIN)/python -m bench.traces --check $(ARGS)

# What is generated from the code and kept in the tree: tests fail where it has drifted.
pages: $(STAMP)
	$(BIN)/python -m streams.schemas deploy/schemas
	$(BIN)/python -m streams.settings_page
	$(BIN)/python -m streams.metrics_page
	$(BIN)/python -m stallwatch.cli.reference > docs/cli.md

clean:
	rm -rf $(VENV) build dist *.egg-info .mypy_cache .ruff_cache .pytest_cache .hypothesis
