# What the targets run is also in README.md, for people without make.
PYTHON ?= python3
PORT ?= 8000
BIN := .venv/bin

PYTEST := $(BIN)/python -m pytest -q -n auto
# Tests that need no site and no patience. Each runs once: under jaxtyping's hook, which
# looks at the shapes of all arguments, or without it, if it gives wrong ones on purpose
# or none (whole programs, and readers' answers).
QUICK := not browser and not slow
SHAPELESS := $(addprefix tests/test_,build_book.py exercises.py notebooks.py)

.PHONY: book serve zip pdf test test-full format notebooks bench class lab lab-full clean

book: .venv/book notebooks
	$(BIN)/python scripts/build_book.py

serve: book
	$(BIN)/python scripts/serve.py $(PORT)

zip: book
	$(BIN)/python scripts/make_zip.py

pdf: book
	$(BIN)/python scripts/make_pdf.py

notebooks: .venv/book
	$(BIN)/python scripts/make_notebooks.py

test: .venv/test
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/python scripts/make_notebooks.py --check
	$(PYTEST) --dist worksteal -m "$(QUICK) and not bad_input" \
		--jaxtyping-packages=posenc,typechecker.check tests $(SHAPELESS:%=--ignore=%)
	$(PYTEST) --dist worksteal -m "$(QUICK) and bad_input" tests $(SHAPELESS:%=--ignore=%)
	# The site is built meanwhile: both leave a core idle for most of their time.
	$(BIN)/python scripts/build_book.py --clean & build=$$!; \
	$(PYTEST) --dist worksteal -m "$(QUICK)" src $(SHAPELESS); tests=$$?; \
	wait $$build && exit $$tests
	$(BIN)/python scripts/find_browser.py --install
	$(PYTEST) --dist worksteal -m "browser and not slow" tests/browser

test-full: test .venv/peers
	$(BIN)/python scripts/make_pdf.py --install
	$(PYTEST) --dist loadfile -m slow tests
	$(BIN)/python scripts/mutate.py

format: .venv/test
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

class: .venv/book
	$(BIN)/python scripts/make_class.py

bench: .venv/peers
	for slug in attention sinusoidal rotation shaw transformer_xl t5 swin rope \
		linear_attention convolutional alibi cape; do \
		$(BIN)/python benchmarks/$$slug.py || exit 1; \
	done

# Both go on where they were stopped, and leave finished runs alone.
lab: .venv/book
	$(BIN)/python -m posenc.lab core

lab-full: .venv/book
	$(BIN)/python -m posenc.lab full

clean:
	rm -rf .venv _build class .pytest_cache .mypy_cache .ruff_cache .hypothesis

# The stamps hold nothing: their dates say when the environment was last installed.
.venv/book: requirements.txt pyproject.toml
	test -d .venv || $(PYTHON) -m venv .venv
	$(BIN)/pip install --quiet -r requirements.txt
	touch $@

.venv/test: .venv/book tests/requirements.txt
	$(BIN)/pip install --quiet -r tests/requirements.txt
	touch $@

.venv/peers: .venv/test tests/peers/requirements.txt
	$(BIN)/pip install --quiet -r tests/peers/requirements.txt
	touch $@
