# Everything there is to do with a clone. Needs make and Python 3.11 or newer; the rest is set up in .venv on first use.

PYTHONS := python3 python3.13 python3.12 python3.11# tried in this order, unless PYTHON names one
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/ready
ARGS :=

# Compiled modules lie beside their sources and come first when they are imported. So that nobody runs the code of
# yesterday, they are compiled again whenever a source is newer.
LIBRARY := $(wildcard sdk/*__mypyc.*.so)
SOURCES := $(wildcard sdk/setup.py $(addsuffix /*.py,sdk/arena_rules sdk/arena_rules/* sdk/arena_sdk sdk/arena_sdk/codec))
define compile_sdk
cd sdk && ARENA_COMPILE=1 ../$(BIN)/python setup.py -q egg_info build_ext --inplace
find sdk -name '*.so' -not -path '*/build/*' -exec touch {} +
endef

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.PHONY: help setup demo test soak siege lint format proto bench compile pure clean stale
MAKEFLAGS += --no-builtin-rules

# Without bytecode every start of a bot costs three times as much.
unexport PYTHONDONTWRITEBYTECODE

help: ## Show this list
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "  make %-8s %s\n", $$1, $$2 }' $(firstword $(MAKEFILE_LIST))

setup: $(READY) ## Make or update the environment in .venv (the other targets do it by themselves)
	@echo "Arena is set up in $(VENV). Try: make demo"
	@command -v bwrap >/dev/null || echo "For a sandbox around bots install bubblewrap: apt-get install bubblewrap"

demo: $(READY) $(LIBRARY) ## Play a small tournament of the bundled bots in each game, and show the leaderboards
	@rm -rf .arena/demo
	$(BIN)/arena tournament bots/planner bots/greedy bots/random --game shelfie --rounds 8 --seed 7 --name shelfie --home .arena/demo
	$(BIN)/arena tournament bots/planner bots/greedy bots/random --game codex --rounds 8 --seed 7 --name codex --home .arena/demo
	$(BIN)/arena leaderboard --home .arena/demo
	$(BIN)/arena replay shelfie/0 --home .arena/demo --plain >.arena/demo/replay.txt
	@tail -n 40 .arena/demo/replay.txt

test: $(READY) $(LIBRARY) ## Run all tests; ARGS="-k shelf" chooses some
	$(BIN)/python -m pytest -n auto --dist worksteal $(ARGS)

soak: $(READY) ## Play 10,000 random games of every game with mixed options, and check them; takes minutes
	$(BIN)/python -m tests.property.soak --games 10000 $(ARGS)

siege: $(READY) $(LIBRARY) ## Play 1,000 matches with one bot in ten evil, and check that nothing is left of it; takes minutes
	$(BIN)/python -m tests.rogues.siege --matches 1000 $(ARGS)

lint: $(READY) ## Check style, types, the direction of imports and the wire contract
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/buf lint proto
	$(BIN)/python proto/generate.py --check

format: $(READY) ## Format the code and mend what can be mended
	$(BIN)/ruff check --fix
	$(BIN)/ruff format

proto: $(READY) ## Generate the code of the wire contract
	$(BIN)/python proto/generate.py

bench: $(READY) $(LIBRARY) ## Measure the referee and the rules
	$(BIN)/python -m tests.benchmarks $(ARGS)

compile: $(READY) ## Compile rules and wire, for search and bulk play; needs a C compiler and the headers of Python
	$(compile_sdk)
	$(BIN)/arena doctor

pure: ## Go back to pure Python, which is how everything comes
	rm -rf sdk/build $(LIBRARY)
	find sdk/arena_rules sdk/arena_sdk -name '*.so' -delete

clean: pure ## Remove the environment and all that was generated; records in .arena stay
	rm -rf $(VENV) build dist sdk/build sdk/dist *.egg-info sdk/*.egg-info
	rm -rf .mypy_cache .pytest_cache .ruff_cache .hypothesis .import_linter_cache
	find arena bots proto sdk tests -name __pycache__ -type d -prune -exec rm -rf {} +

ifneq ($(LIBRARY),)
$(LIBRARY): $(SOURCES) | $(READY)
	$(compile_sdk)
endif

# The environment. The file $(READY) is written last, so an interrupted set-up starts afresh, and holds the folder it was
# made in, because an environment that was copied along with its clone still runs the code of the original.
candidates = $(if $(PYTHON),"$(PYTHON)",$(PYTHONS))
version_of = $(shell for python in $(1); do \
	"$$python" -c 'import sys; print("%d.%d" % sys.version_info[:2])' 2>/dev/null && break; done)
found = $(shell for python in $(candidates); do \
	"$$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))' >/dev/null 2>&1 && echo "$$python" && break; done)

ifneq ($(shell cat $(READY) 2>/dev/null),$(CURDIR))
  STALE := stale
else ifeq ($(wildcard $(BIN)/python),)
  STALE := stale
else ifneq ($(PYTHON),)
  ifneq ($(call version_of,"$(PYTHON)"),$(call version_of,$(BIN)/python))
    STALE := stale
  endif
endif

goal = $(or $(firstword $(MAKECMDGOALS)),setup)
seen = $(or $(addprefix only ,$(call version_of,$(candidates))),none)
no_python = Arena needs Python 3.11 or newer and found $(seen): install one, or name one as in \
	'make $(goal) PYTHON=python3.12'

$(READY): pyproject.toml sdk/pyproject.toml $(STALE)
	$(eval CHOSEN := $(found))
	$(if $(CHOSEN),,$(error $(no_python)))
	@echo "Setting up $(VENV) with $(CHOSEN) (once; about a minute) ..." >&2
	@$(if $(STALE),rm -rf $(VENV),rm -f $@)
	@if command -v uv >/dev/null; then \
	  { test -x $(BIN)/python || uv venv -q --seed --python "$(CHOSEN)" $(VENV); } && \
	  UV_COMPILE_BYTECODE=1 uv pip install -q --python $(BIN)/python -e ./sdk -e '.[dev]'; \
	else \
	  { test -x $(BIN)/python || "$(CHOSEN)" -m venv $(VENV); } && \
	  $(BIN)/python -m pip install -qq --disable-pip-version-check -e ./sdk -e '.[dev]'; \
	fi
	@$(BIN)/python -m compileall -q arena bots sdk
	@echo "$(CURDIR)" > $@
