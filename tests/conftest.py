"""Fixtures shared by all tests."""

import functools
import json
import os
import socket
import sys

import numpy as np
import pytest
from array_api_compat import array_namespace
from hypothesis import settings

settings.register_profile("book", deadline=None, print_blob=True)
settings.load_profile("book")

# Workers share the cores: threads of a library would only get in their way.
for _name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[_name] = "1"

# No test writes to the progress of whoever runs it.
os.environ["POSENC_PROGRESS"] = os.devnull


#: Where files take minutes, the longest first.
_LONG = ("tests/site/", "tests/scripts/", "tests/kit/", "tests/core/")


def pytest_collection_modifyitems(config, items):
    """Long files first, or one worker would end long after the others."""

    def rank(item):
        name = item.path.relative_to(config.rootpath).as_posix()
        return [not name.startswith(folder) for folder in _LONG]

    items.sort(key=rank)


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


# --- comparison with other people's packages: test_peers.py of each chapter -----------

# Before transformers is imported: all models here are tiny and made on the spot.
os.environ["HF_HUB_OFFLINE"] = "1"


def pytest_ignore_collect(collection_path, config):
    """Without the slow tests, do not even import peers: 12 s, and extra packages.

    (In every other case a package that is missing is an error, not a skip.)
    """
    is_peer = collection_path.name.startswith("test_peers")
    return (is_peer and "not slow" in config.getoption("markexpr")) or None


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


# --- work that is sent to other machines ----------------------------------------------


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


# --- tests that drive a browser -------------------------------------------------------


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


@pytest.fixture(scope="module")
def shared_page(browser, address):
    """That page, opened once for all tests of a module."""
    import browsing

    page = browsing.open_page(browser, address)
    page.is_new = True
    yield page
    page.context.close()


@pytest.fixture
def page(shared_page, address):
    """That page, as if just opened; it must make no error and no other request."""
    import browsing

    page = shared_page
    if not page.is_new:
        page.record.errors.clear()
        page.record.requests.clear()
        if page.viewport_size != {"width": 1280, "height": 800}:
            page.set_viewport_size({"width": 1280, "height": 800})
        page.mouse.move(0, 0)
        page.goto(address)
        page.evaluate(browsing.SETTLE)
    page.is_new = False
    yield page
    assert page.record.errors == []
    foreign = [url for url in page.record.requests if not url.startswith("data:")]
    assert foreign == [address]


@pytest.fixture(scope="session")
def report():
    """Dict of measurements by page, written into a file when the session ends."""
    import build_book

    measured = {}
    yield measured
    name = os.getenv("PYTEST_XDIST_WORKER", "site")
    path = build_book.BUILD / "report" / f"{name}.json"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(measured, indent=1, sort_keys=True) + "\n")
