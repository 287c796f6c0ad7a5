"""Work that is sent away: to threads, to processes, or to the machines of a cluster."""

from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_COMPLETED, Executor, Future, wait
from contextlib import contextmanager
from typing import Any, TypeVar

Asked = TypeVar("Asked")


@contextmanager
def dask_executor(address: str | None) -> Iterator[Executor | None]:
    """Yield an executor of the Dask cluster at an address; None without an address.

    Raises
    ------
    ValueError
        If Dask is not installed, or no scheduler answers at the address.
    """
    if address is None:
        yield None
        return
    try:
        from distributed import Client
    except ImportError:
        msg = "--dask needs Dask: pip install 'posenc[dask]'"
        raise ValueError(msg) from None
    try:
        client = Client(address, timeout="10s")
    except (OSError, ValueError) as error:
        msg = f"--dask must name a running scheduler, got {address!r}: {error}"
        raise ValueError(msg) from None
    with client:
        yield client.get_executor()


def in_turn(
    pending: dict["Future[Any]", Asked], idle: Callable[[], object] = lambda: None
) -> Iterator[tuple[Asked, Any]]:
    """Yield each request and its result, one after the other as they come.

    Of those that have ended, the first that was asked comes first. Each future is let
    go of at once: a cluster does again what it has lost and somebody still holds.

    Parameters
    ----------
    pending : dict
        What was asked, by future; empty in the end.
    idle : function, optional
        Called about once a second, and after every result.
    """
    while pending:
        ended, _ = wait(pending, timeout=1.0, return_when=FIRST_COMPLETED)
        done = [future for future in pending if future in ended]
        del ended
        while done:
            future = done.pop(0)
            asked, result = pending.pop(future), future.result()
            del future
            yield asked, result
        idle()
