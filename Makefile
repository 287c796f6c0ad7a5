# What the targets run is also in README.md, for people without make.
PYTHON ?= python3
PORT ?= 8000
BIN := .venv/bin

.PHONY: book serve test test-full format notebooks bench clean

book: .venv/book notebooks
	$(BIN)/python scripts/build_book.py

serve: book
	$(BIN)/python scripts/serve.py $(PORT)

notebooks: .venv/book
	$(BIN)/python scripts/make_notebooks.py

test: .venv/test
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/python scripts/make_notebooks.py --check
	$(BIN)/python -m pytest -q -n auto -m "not browser and not slow"
	$(BIN)/python -m pytest -q -n auto -m "not browser and not slow and not bad_input" \
		--jaxtyping-packages=posenc,beartype.beartype tests
	$(BIN)/python scripts/build_book.py --clean
	$(BIN)/python scripts/find_browser.py --install
	$(BIN)/python -m pytest -q -m "browser and not slow" tests/browser

test-full: test
	$(BIN)/python -m pytest -q -m slow tests
	$(BIN)/python scripts/mutate.py

format: .venv/test
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

bench: .venv/test
	$(BIN)/python benchmarks/t5.py

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
