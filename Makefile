# What the targets run is also in README.md, for people without make.
PYTHON ?= python3
PORT ?= 8000
BIN := .venv/bin

PYTEST := $(BIN)/python -m pytest -q -n auto --dist worksteal
#: Who drives a browser waits for it: three workers keep two cores busy.
WORKERS = $(shell $(BIN)/python -c "import os; print(os.cpu_count() * 3 // 2)")
PYTEST_WAITING = $(BIN)/python -m pytest -q -n $(WORKERS)
#: A chapter's short name, for `make test` and `make live`.
SLUG ?=

.PHONY: book serve live zip pdf dist publish-check test test-full format notebooks bench class lab lab-full clean

book: .venv/book notebooks
	$(BIN)/python scripts/build_book.py

# Both rebuild on save; `live` runs the cells of one chapter alone.
serve: book
	$(BIN)/python scripts/serve.py --port $(PORT)

live: .venv/book
	$(BIN)/python scripts/serve.py --port $(PORT) $(SLUG)

zip: book
	$(BIN)/python scripts/make_zip.py

# Whether TeX is there is asked before anything is installed or built.
pdf:
	$(PYTHON) scripts/find_tex.py
	$(MAKE) book
	$(BIN)/python scripts/make_pdf.py

# Wheel and sdist, as the package index takes them.
dist: .venv/book
	rm -rf dist
	$(BIN)/python -m hatchling build -d dist

# What is still to be set; with TAG, whether that release fits.
TAG ?=
publish-check: .venv/book
	$(BIN)/python scripts/publish_check.py $(if $(TAG),--tag "$(TAG)")

notebooks: .venv/book
	$(BIN)/python scripts/make_notebooks.py

# Python in the browser is opened by slow tests alone.
LITE = --no-lite
test-full: LITE =

# Each test runs once. `slow` ones wait for `make test-full`; those of one chapter's
# widgets do not wait if you ask for that chapter.
test: .venv/test
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/python scripts/make_notebooks.py --check
	$(BIN)/python scripts/find_browser.py --install
ifeq ($(SLUG),)
	# The site is built meanwhile: both leave a core idle for some of their time.
	$(BIN)/python scripts/build_book.py --clean $(LITE) & build=$$!; \
	$(PYTEST) -m "not browser and not slow" src tests; tests=$$?; \
	wait $$build && exit $$tests
	$(PYTEST_WAITING) --dist worksteal -m "browser and not slow" tests
else
	$(BIN)/python scripts/build_book.py --only $(SLUG)
	$(PYTEST) -m "browser or not slow" tests/$(SLUG) src/posenc/$(SLUG)
	SLUG=$(SLUG) $(PYTEST) -m "browser and not slow" tests/site/test_site.py \
		-k "book/$(SLUG).html"
endif

test-full: test .venv/peers
	# Shapes of all arguments, by jaxtyping's hook, but for tests that give wrong ones.
	$(PYTEST) -m "not browser and not slow and not bad_input" \
		--jaxtyping-packages=posenc,typechecker.check \
		$(wildcard tests/*/test_functions.py tests/*/test_nn.py tests/core tests/lab)
	$(BIN)/python scripts/find_tex.py --install
	$(PYTEST_WAITING) --dist loadfile --no-loadscope-reorder -m slow tests
	$(BIN)/python scripts/mutate.py

format: .venv/test
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

# Whole chapters, or with EXERCISES and NAME, CHAPTERS or PLAN a part of the course.
class: .venv/book
	$(BIN)/python scripts/make_class.py \
		$(if $(CHAPTERS),--chapters $(CHAPTERS)) $(if $(PLAN),--plan "$(PLAN)") \
		$(if $(EXERCISES),--exercises $(EXERCISES)) $(if $(NAME),--name "$(NAME)")

bench: .venv/peers
	$(BIN)/python benchmarks/run.py

# Both go on where they were stopped, and leave finished runs alone.
lab: .venv/book
	$(BIN)/python -m posenc.lab core

lab-full: .venv/book
	$(BIN)/python -m posenc.lab full

clean:
	rm -rf .venv _build .pytest_cache .mypy_cache .ruff_cache .hypothesis

# The stamps hold nothing: their dates say when the environment was last installed.
.venv/book: requirements.txt pyproject.toml
	test -d .venv || $(PYTHON) -m venv .venv
	$(BIN)/pip install --quiet -r requirements.txt
	touch $@

.venv/test: .venv/book tests/requirements.txt
	$(BIN)/pip install --quiet -r tests/requirements.txt
	touch $@

.venv/peers: .venv/test tests/requirements-peers.txt
	$(BIN)/pip install --quiet -r tests/requirements-peers.txt
	touch $@
