"""How far a head sees."""

import math

import numpy as np

from posenc.core.checks import check_int, check_number, check_positive


def alibi_reach(
    slope: float, share: float, *, k_len: int | None = None, score_bound: float = 0.0
) -> int:
    r"""Smallest distance D such that the keys up to D hold `share` of the weight.

    The head is causal, and its scores, before the bias, are anything from -B to B. What
    comes out holds for *all* of them: the worst are -B for the keys up to D and +B for
    the others. With :math:`\lambda = e^{-m}` and n keys the condition is

    .. math:: \lambda^{D+1} \le
       \frac{1 - p + p\, e^{2B} \lambda^n}{1 - p + p\, e^{2B}} .

    Parameters
    ----------
    slope : float
        Slope m of the head, above 0, per token.
    share : float
        Part p of the weight, above 0 and below 1.
    k_len : int, optional
        Keys n that the query may attend to, its own among them; at least 1. Without it
        there is no end to them.
    score_bound : float, default 0.0
        Bound B on the size of the scores; 0 means that all scores are equal.

    Returns
    -------
    int
        A distance in tokens; 0 if the query's own token is enough.

    Raises
    ------
    TypeError, ValueError
        If an argument is not a number in its range.

    Examples
    --------
    >>> [alibi_reach(slope, 0.5) for slope in (1 / 2, 1 / 16, 1 / 256)]
    [1, 11, 177]
    >>> alibi_reach(1 / 2, 0.5, score_bound=2.0)
    8
    """
    slope = check_positive("slope", slope)
    score_bound = check_number("score_bound", score_bound, minimum=0.0)
    share = check_number("share", share)
    if not 2 * score_bound < math.inf:
        msg = f"score_bound must be finite when doubled, got {score_bound}"
        raise ValueError(msg)
    if not 0 < share < 1:
        msg = f"share must be above 0 and below 1, got {share}"
        raise ValueError(msg)
    if k_len is not None:
        k_len = check_int("k_len", k_len, minimum=1)
    count = math.inf if k_len is None else k_len
    rest, held = math.log(1 - share), math.log(share) + 2 * score_bound
    least = np.logaddexp(rest, held - slope * count)
    needed = np.logaddexp(rest, held) - least  # m (D + 1) must not be below this
    return int(min(max(math.ceil(needed / slope), 1), count)) - 1
