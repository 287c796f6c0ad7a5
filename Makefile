# What the targets run is also in CONTRIBUTING.md, for people without make.
PYTHON ?= python3
PORT ?= 8000
BIN := .venv/bin

PYTEST := $(BIN)/python -m pytest -q --durations=20 --durations-min=2 -n auto --dist worksteal
#: Tests that drive a browser wait for it: three workers keep two cores busy.
WORKERS = $(shell echo $$(($$(getconf _NPROCESSORS_ONLN) * 3 / 2)))
PYTEST_BROWSER = $(BIN)/python -m pytest -q --durations=20 --durations-min=2 \
	-n $(WORKERS) --dist loadfile \
	--no-loadscope-reorder
#: A chapter's short name, for `make test` and `make live`.
SLUG ?=

.PHONY: book serve live zip pdf dist publish-check test format mutants notebooks bench class lab lab-full clean

book: .venv/book notebooks
	$(BIN)/python scripts/build_book.py

# Both rebuild on save; `live` runs the cells of one chapter alone.
serve: book
	$(BIN)/python scripts/serve.py --port $(PORT)

live: .venv/book
	$(BIN)/python scripts/serve.py --port $(PORT) $(SLUG)

zip: book
	$(BIN)/python scripts/make_zip.py

# Check for TeX before installing or building anything.
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

# `make test` records the seconds of each step and prints them at its end.
STEP := @sh scripts/step.sh
QUICK := -m "not browser and not slow"
#: jaxtyping checks the annotated shapes of all arguments in these tests.
FUNCTIONS = $(wildcard tests/*/test_functions.py tests/*/test_nn.py) tests/core tests/training
SHAPES := --jaxtyping-packages=posenc,typechecker.check

test:
	@rm -f _build/seconds
	$(STEP) "installation" $(MAKE) --no-print-directory .venv/test
	$(STEP) "browser" $(BIN)/python scripts/find_browser.py --install
	$(STEP) "style" $(BIN)/ruff format --check .
	$(STEP) "lint" $(BIN)/ruff check .
	$(STEP) "names in notebooks" $(BIN)/ruff check --quiet --isolated --select F821 notebooks
	$(STEP) "types" $(BIN)/mypy
	$(STEP) "notebooks" $(BIN)/python scripts/make_notebooks.py --check
ifeq ($(SLUG),)
	# Build the site beside the unit tests: both leave a core idle for some time.
	$(STEP) "site" $(BIN)/python scripts/build_book.py --clean --no-lite & build=$$!; \
	sh scripts/step.sh "functions" $(PYTEST) $(QUICK) $(SHAPES) $(FUNCTIONS); \
	functions=$$?; \
	sh scripts/step.sh "other units" \
		$(PYTEST) $(QUICK) src tests $(FUNCTIONS:%=--ignore=%); \
	units=$$?; wait $$build && exit $$((functions + units))
	$(STEP) "pages" $(PYTEST_BROWSER) --dist worksteal \
		-m "browser and not slow" tests
else
	$(STEP) "page" $(BIN)/python scripts/build_book.py --only $(SLUG)
	$(STEP) "tests" $(PYTEST) -m "browser or not slow" tests/$(SLUG) src/posenc/$(SLUG)
	SLUG=$(SLUG) sh scripts/step.sh "page in the browser" \
		$(PYTEST) -m "browser and not slow" tests/site/test_site.py \
		-k "book/$(SLUG).html"
endif
	@cat _build/seconds

# What takes longer, in parts: run the part that protects what you change, see CONTRIBUTING.md.
# tests/conftest.py says which tests belong to which part.
PART = $(PYTEST_BROWSER) -m slow tests --part
PARTS := test-functions test-site test-notebooks test-class test-print test-peers \
	test-train test-wheel
.PHONY: test-full $(PARTS)

test-full: test $(PARTS)

test-functions: .venv/test
	$(PYTEST) $(QUICK) $(SHAPES) --hypothesis-profile=many $(FUNCTIONS)
	$(PART) functions

test-site: .venv/test
	$(BIN)/python scripts/find_browser.py --install
	$(BIN)/python scripts/build_book.py
	$(PART) site

test-notebooks: .venv/test
	$(BIN)/python scripts/find_browser.py --install
	$(BIN)/python scripts/build_book.py
	$(PART) notebooks

test-class: .venv/test
	$(BIN)/python scripts/find_browser.py --install
	$(BIN)/python scripts/build_book.py
	$(PART) class

test-print: .venv/test
	$(BIN)/python scripts/find_tex.py --install
	$(BIN)/python scripts/find_browser.py --install
	$(BIN)/python scripts/build_book.py
	$(PART) print

test-peers: .venv/peers
	$(PART) peers

test-train: .venv/test
	$(PART) train

test-wheel: .venv/test
	$(PART) wheel

# Break the array functions on purpose, one expression at a time. By hand: it takes hours.
mutants: .venv/test
	nice -n 19 $(BIN)/mutmut run $(if $(SLUG),"posenc.$(SLUG).*")
	$(BIN)/mutmut results

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
	$(BIN)/python -m posenc.training page

lab-full: .venv/book
	$(BIN)/python -m posenc.training full

clean:
	rm -rf .venv _build mutants .pytest_cache .mypy_cache .ruff_cache .hypothesis

# These files are empty. make compares their dates with those of what they need.
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
