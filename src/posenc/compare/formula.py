"""Small formulas that are written once, computed and shown as mathematics."""

import ast
import operator
from dataclasses import dataclass
from typing import Any

_BINARY: dict[type[ast.operator], Any] = {
    ast.Add: (operator.add, "{} + {}"),
    ast.Sub: (operator.sub, "{} - {}"),
    ast.Mult: (operator.mul, r"{} \, {}"),
    ast.Div: (operator.truediv, "{} / {}"),
    ast.Pow: (operator.pow, "{}^{{{}}}"),
}


@dataclass(frozen=True)
class Formula:
    r"""Sums, products and powers of sizes.

    Parameters
    ----------
    text : str
        The formula in Python: whole numbers, names, ``+ - * / **`` and brackets.

    Examples
    --------
    >>> tables = Formula("N * 2 * (2 * k + 1) * D")
    >>> tables.at(N=12, k=16, D=64)
    50688
    >>> print(tables.tex)
    N \, 2 \, (2 \, k + 1) \, D
    """

    text: str

    def at(self, **sizes: int) -> int:
        """Return the value for these sizes; raise ValueError if it is not whole."""
        value = _value(ast.parse(self.text, mode="eval").body, sizes)
        if value != int(value):
            msg = f"{self.text} must be a whole number, got {value} for {sizes}"
            raise ValueError(msg)
        return int(value)

    @property
    def names(self) -> set[str]:
        """Names of the sizes in it."""
        nodes = ast.walk(ast.parse(self.text))
        return {node.id for node in nodes if isinstance(node, ast.Name)}

    @property
    def tex(self) -> str:
        """The formula as TeX."""
        return _tex(ast.parse(self.text, mode="eval").body)


def _value(node: ast.expr, sizes: dict[str, int]) -> Any:
    match node:
        case ast.Constant(value=value):
            return value
        case ast.Name(id=name) if name in sizes:
            return sizes[name]
        case ast.Name(id=name):
            msg = f"{name} must be one of the sizes given, {sorted(sizes)}"
            raise ValueError(msg)
        case ast.BinOp(left=left, op=op, right=right):
            return _BINARY[type(op)][0](_value(left, sizes), _value(right, sizes))
    msg = f"a formula must hold numbers, names and + - * / **, got {ast.dump(node)}"
    raise ValueError(msg)


def _tex(node: ast.expr) -> str:
    match node:
        case ast.Constant(value=value):
            return str(value)
        case ast.Name(id=name):
            return name
        case ast.BinOp(left=left, op=op, right=right):
            factor = not isinstance(op, ast.Add | ast.Sub)
            parts = [
                f"({_tex(n)})" if factor and _is_sum(n) else _tex(n)
                for n in (left, right)
            ]
            return _BINARY[type(op)][1].format(*parts)
    msg = f"a formula must hold numbers, names and + - * / **, got {ast.dump(node)}"
    raise ValueError(msg)


def _is_sum(node: ast.expr) -> bool:
    return isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add | ast.Sub)
