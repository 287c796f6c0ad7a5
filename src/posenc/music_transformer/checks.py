"""Argument checks of global and local attention."""

from typing import Any

from posenc.core.checks import check_batch, check_floating, check_namespace, check_shape


def check_table(q: Any, table: Any, *, rows: int) -> None:
    """Raise unless `table` has a vector for each of `rows` offsets, and fits `q`."""
    check_floating("table", table)
    check_namespace(q=q, table=table)
    check_shape("table", table, ("rows", q.shape[-1]), "head_dim is that of q")
    check_batch("table", table, q.shape[:-2], axes=2)
    if table.shape[-2] < rows:
        msg = (
            f"table must have at least {rows} rows, one per offset, got shape "
            f"{tuple(table.shape)}: make it for the longest sequence"
        )
        raise ValueError(msg)


def check_keys(q: Any, k: Any) -> None:
    """Raise unless there are as many keys as queries, of one head_dim."""
    check_floating("q", q)
    check_floating("k", k)
    check_namespace(q=q, k=k)
    check_shape("q", q, ("seq_len", "head_dim"))
    check_shape("k", k, tuple(q.shape[-2:]), "as many keys as queries")
