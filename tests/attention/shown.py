"""Content of the widget of the chapter on attention, computed by posenc."""

from posenc.attention.figures import attend, numbered, same_outputs
from posenc.attention.widgets import ShuffledAttention


def both(w):
    """Attention before and after the words moved."""
    return (
        attend(w.sentence, order, encoding=w.encoding, causal=w.causal)
        for order in (None, w.order)
    )


def shuffled_attention(w):
    before, after = both(w)
    equal, names = same_outputs(before, after, w.order), numbered(w.sentence.split())
    lost = [names[n] for n, same in zip(w.order, equal, strict=True) if not same]
    length, in_order = len(names), w.order == sorted(w.order)
    keep = "keeps its" if equal.sum() == 1 else "keep their"
    numbers = {
        name: {"weights": state.weights, "outputs": state.outputs}
        for name, state in (("before", before), ("after", after))
    }
    return numbers, {
        "in their own order": in_order,
        f"All {length} words keep their output": equal.all() and not in_order,
        f"{equal.sum()} of {length} words {keep} output": not equal.all(),
        **({", ".join(f"“{name}”" for name in lost) + ".": True} if lost else {}),
    }


def weight(w, row, column, moved=False):
    before, after = both(w)
    names, last = numbered(w.sentence.split()), len(w.order) - 1
    q, k = min(row, last), column
    if column > last:
        return "output"
    if moved:
        q, k = w.order[q], w.order[k]
    place = [w.order.index(n) for n in (q, k)]
    return (
        f"query “{names[q]}”, key “{names[k]}”: weight {before.weights[q, k]:.3f} "
        f"before, {after.weights[*place]:.3f} after"
    )


SHOWN = {ShuffledAttention: shuffled_attention}
POINTED = {
    (ShuffledAttention, 0): weight,
    (ShuffledAttention, 1): lambda w, row, column: weight(w, row, column, moved=True),
}
