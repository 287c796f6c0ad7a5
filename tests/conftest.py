"""Fixtures shared by all tests."""

import functools
import os
import socket
import sys
from fnmatch import fnmatch
from pathlib import Path

import jaxtyping
import numpy as np
import pytest
from array_api_compat import array_namespace
from hypothesis import settings

# `make test` tries a few examples, always the same; `make test-functions` many.
settings.register_profile("few", deadline=None, derandomize=True, max_examples=20)
settings.register_profile("many", deadline=None, print_blob=True, max_examples=200)
settings.load_profile("few")

# Workers share the cores: threads of a library would only get in their way.
for _name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[_name] = "1"

TESTS = Path(__file__).parent

# No test writes to the progress of whoever runs it.
os.environ["POSENC_PROGRESS"] = os.devnull


#: Slow tests by the part of ``make test-full`` that runs them: the first that fits.
PARTS = {
    "wheel": ["scripts/test_wheel.py"],
    "print": [
        "scripts/test_make_pdf.py",
        "scripts/test_latex_output.py",
        "site/test_print.py",
    ],
    "class": [
        "grading/*",
        "classroom/*",
        "scripts/test_make_class.py",
        "scripts/test_make_slides.py",
        "site/test_slides.py",
        "*/test_exercises.py",
    ],
    "notebooks": [
        "site/test_jupyterlab.py",
        "site/test_lite.py",
        "site/test_solve.py",
        "scripts/test_build_lite.py",
        "scripts/test_page_python.py",
        "scripts/test_quoted.py",
    ],
    "peers": ["*/test_peers*.py"],
    "train": ["training/*"],
    "site": ["site/*", "kit/*", "scripts/*", "*/test_widgets_in_browser.py"],
    "functions": ["*"],
}


def pytest_addoption(parser):
    parser.addoption("--part", choices=PARTS, help="run the tests of one part alone")


def part_of(path):
    """Return the part of ``make test-full`` that a test file belongs to."""
    name = path.relative_to(TESTS).as_posix()
    return next(
        part
        for part, patterns in PARTS.items()
        if any(fnmatch(name, pattern) for pattern in patterns)
    )


#: Where files take minutes, the longest first.
_LONG = ("tests/site/", "tests/scripts/", "tests/kit/", "tests/core/")


def pytest_collection_modifyitems(config, items):
    """Long files first, or one worker would end long after the others."""

    def rank(item):
        name = item.path.relative_to(config.rootpath).as_posix()
        return [not name.startswith(folder) for folder in _LONG]

    items.sort(key=rank)


@pytest.fixture(autouse=True)
def _check_shapes(request):
    """Leave bad input to posenc's own checks, not to jaxtyping's hook."""
    bad_input = request.node.get_closest_marker("bad_input") is not None
    jaxtyping.config.update("jaxtyping_disable", bad_input)


@pytest.fixture(autouse=True)
def _close_figures():
    """Leave no figure open for the next test."""
    yield
    if "matplotlib.pyplot" in sys.modules:
        sys.modules["matplotlib.pyplot"].close("all")


@pytest.fixture(params=["numpy", "torch"])
def xp(request):
    """Array namespace under test; run one backend with ``pytest -k numpy``."""
    module = pytest.importorskip(request.param)
    return array_namespace(module.ones(1))


@pytest.fixture
def rng():
    return np.random.default_rng(0)


@pytest.fixture(params=[pytest.param("aot_eager", marks=pytest.mark.slow)])
def compiled(request):
    """`torch.compile` into one graph, run eagerly; raises if the graph breaks.

    The backend takes the graph apart for its gradients as well.
    """
    torch = pytest.importorskip("torch")
    torch.compiler.reset()  # else the recompilations of one test count for the next
    return functools.partial(torch.compile, backend=request.param, fullgraph=True)


@pytest.fixture
def same_when_compiled(compiled):
    """Check that torch.compile traces a function whole and changes no result."""
    torch = pytest.importorskip("torch")

    def check(function, *arguments, **options):
        torch.testing.assert_close(
            compiled(function)(*arguments, **options), function(*arguments, **options)
        )

    return check


# Before transformers is imported: all models here are tiny and made on the spot.
os.environ["HF_HUB_OFFLINE"] = "1"


def pytest_ignore_collect(collection_path, config):
    """Skip files of other parts, and peers without the slow tests.

    Importing peers takes 12 s and extra packages. In every other case a package that
    is missing is an error, not a skip.
    """
    if not collection_path.name.startswith("test_"):
        return None
    is_peer = collection_path.name.startswith("test_peers")
    if is_peer and "not slow" in config.getoption("markexpr"):
        return True
    part = config.getoption("--part")
    return (part is not None and part_of(collection_path) != part) or None


@pytest.fixture(scope="module")
def no_network():
    """Raise if a peer opens a connection: nothing may be downloaded."""

    def refuse(*_):
        msg = "the peers' tests must not use the network"
        raise AssertionError(msg)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(socket.socket, "connect", refuse)
        yield


@pytest.fixture(scope="session")
def draw():
    """Tensors of the given shapes, normally distributed, float64, always the same."""
    torch = pytest.importorskip("torch")

    def tensors(*shapes):
        rng = np.random.default_rng(0)
        drawn = [torch.from_numpy(rng.normal(size=shape)) for shape in shapes]
        return drawn if len(drawn) > 1 else drawn[0]

    return tensors


@pytest.fixture
def cluster():
    """Client of a Dask cluster on this machine, with two workers of one thread."""
    distributed = pytest.importorskip("distributed")
    with (
        distributed.LocalCluster(
            n_workers=2, threads_per_worker=1, dashboard_address=None
        ) as made,
        distributed.Client(made) as client,
    ):
        yield client


@pytest.fixture(scope="session")
def browser():
    import browsing

    with browsing.launched() as browser:
        yield browser


@pytest.fixture
def open_page(browser):
    """`browsing.open_page` without its first argument; closes the pages at the end."""
    import browsing

    pages = []

    def open_page(url, **options):
        pages.append(browsing.open_page(browser, url, **options))
        return pages[-1]

    yield open_page
    for page in pages:
        page.context.close()


@pytest.fixture(scope="module")
def address(request, tmp_path_factory):
    """Of a page with the widgets that the test module names, see `widget_page`."""
    import widget_page

    path = tmp_path_factory.mktemp("widget") / "page.html"
    with widget_page.undrawn():
        widgets = "".join(make().static_html() for make in request.module.WIDGETS)
    path.write_text(widget_page.PAGE.format(widgets=widgets), encoding="utf-8")
    return path.as_uri()


@pytest.fixture(scope="session")
def shared_page(browser):
    """A page for all tests: to start a process for each takes a second."""
    import browsing

    page = browsing.open_page(browser, "about:blank")
    yield page
    page.context.close()


@pytest.fixture
def page(shared_page, address):
    """The page at `address`, just opened; it makes no error and no other request."""
    import browsing

    page = shared_page
    if page.viewport_size != {"width": 1280, "height": 800}:
        page.set_viewport_size({"width": 1280, "height": 800})
    page.mouse.move(0, 0)
    page.record.errors.clear()
    page.record.requests.clear()
    page.goto(address)
    page.evaluate(browsing.SETTLE)
    yield page
    assert page.record.errors == []
    foreign = [url for url in page.record.requests if not url.startswith("data:")]
    assert foreign == [address]


@pytest.fixture(scope="session")
def moving_page(browser):
    import browsing

    page = browsing.open_page(browser, "about:blank", moving=True)
    yield page
    page.context.close()


@pytest.fixture
def moving(moving_page, address):
    """That page where motion is not reduced, with a clock that the test turns."""
    import browsing

    moving_page.clock.resume()
    browsing.open_moving(moving_page, address)
    yield moving_page
    assert moving_page.record.errors == []
