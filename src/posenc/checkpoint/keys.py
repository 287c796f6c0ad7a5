"""Keys of a configuration: read with a rule, a default, and a record of what was read.

The record shows the keys that were never read, about which a loader would be silent.
"""

from collections.abc import Callable, Collection, Mapping
from typing import Any

from posenc.core.checks import check_flag, check_int, check_number, check_positive

#: Powers and quotients of smaller numbers overflow.
_SMALLEST = 1e-300


class Keys:
    """A table of a config.json, its families' names and defaults.

    Parameters
    ----------
    table : mapping
        The keys and their values.
    facts : mapping, optional
        Facts of the family: ``defaults``, other names of keys (``names``, ``older`` and
        ``renamed``, see families.toml) and ``nullable``.
    where : str
        Prefix of the keys in messages, such as ``"text_config."``.

    Attributes
    ----------
    seen : set of str
        Keys that were read, as they stand in the file.
    assumed : dict
        Values that the file does not have and the family's defaults gave.
    warnings : list of str
        Warnings on contradictions that were met while reading.
    """

    def __init__(
        self,
        table: Mapping[str, Any],
        facts: Mapping[str, Any] | None = None,
        where: str = "",
    ) -> None:
        facts = facts or {}
        self.table, self.where = table, where
        self.names: Mapping[str, str] = facts.get("names", {})
        self.older: Mapping[str, str] = facts.get("older", {})
        self.renamed: Mapping[str, str] = facts.get("renamed", {})
        self.nullable: Collection[str] = facts.get("nullable", ())
        self.defaults: Mapping[str, Any] = facts.get("defaults", {})
        self.seen: set[str] = set()
        self.assumed: dict[str, Any] = {}
        self.warnings: list[str] = []

    def name(self, key: str) -> str:
        """Return the key and its place in the file, for messages."""
        present = (name for name in self._spellings(key) if name in self.table)
        return self.where + next(present, self._own_name(key))

    def has(self, key: str) -> bool:
        """Return True if the key or the family's default is not null."""
        return self.get(key) is not None

    def get(self, key: str, default: Any = None) -> Any:
        """Return the value of a key, else the family's default, or `default`."""
        spellings = self._spellings(key)
        self.seen.update(spellings)
        present = [name for name in spellings if name in self.table]
        for name in present[1:]:
            self._compare(present[0], name)
        if present:
            return self.table[present[0]]
        if key not in self.defaults:
            return default
        self.assumed[self._own_name(key)] = self.defaults[key]
        return self.defaults[key]

    def needed(self, key: str) -> Any:
        """Return the value of a key; raise ``ValueError`` without one and a default."""
        value = self.get(key)
        if value is None and not set(self._spellings(key)) & set(self.table):
            msg = f"{self.name(key)} must be there, got nothing: the rest depends on it"
            raise ValueError(msg)
        return value

    def whole(self, key: str, *, minimum: int = 1) -> int:
        """Return an integer; there has to be one."""
        value = check_int(
            self.name(key),
            self.needed(key),
            minimum=minimum,
            below=2**53,
            remedy=self._remedy(key),
        )
        return self._limited(key, value)

    def whole_or_none(self, key: str) -> int | None:
        """Return an integer, or None if the key is null or absent."""
        return self._optional(key, lambda: self.whole(key))

    def length(self, key: str) -> int:
        """Return a number of tokens; a float is accepted if it is whole."""
        value = self.needed(key)
        if isinstance(value, float) and value.is_integer():
            value = int(value)
        value = check_int(self.name(key), value, minimum=1, below=2**53)
        return self._limited(key, value)

    def length_or_none(self, key: str) -> int | None:
        """Return a number of tokens, or None if the key is null or absent."""
        return self._optional(key, lambda: self.length(key))

    def number(self, key: str, *, minimum: float | None = None) -> float:
        """Return a number, above 0 or at least `minimum`."""
        value = self.needed(key)
        if minimum is None:
            check_positive(self.name(key), value, remedy=self._remedy(key))
        else:
            check_number(self.name(key), value, minimum=minimum)
        if 0 < value < _SMALLEST:
            msg = (
                f"{self.name(key)} must be at least {_SMALLEST:g}, got {value!r}: is "
                "it a typo?"
            )
            raise ValueError(msg)
        return float(self._limited(key, value, 10**300))

    def number_or_none(self, key: str, *, minimum: float | None = None) -> float | None:
        """Return a number, or None if the key is null or absent."""
        return self._optional(key, lambda: self.number(key, minimum=minimum))

    def flag(self, key: str) -> bool:
        """Return True or False; null is False."""
        value = self.get(key)
        if value is None:
            return False
        check_flag(self.name(key), value)
        return bool(value)

    def listing(self, key: str) -> list[Any] | None:
        """Return a list, or None if the key is null or absent."""
        value = self.get(key)
        if value is None:
            return None
        if not isinstance(value, list | tuple):
            msg = f"{self.name(key)} must be a list, got {_short(value)}"
            raise TypeError(msg)
        return list(value)

    def table_of(self, key: str) -> dict[str, Any] | None:
        """Return a copy of a table, or None if the key is null, absent or {}."""
        value = self.get(key)
        if value is None:
            return None
        if not isinstance(value, Mapping):
            msg = f"{self.name(key)} must be a table of keys, got {_short(value)}"
            raise TypeError(msg)
        return dict(value) or None

    def _remedy(self, key: str) -> str:
        """Return the remedy for a value that breaks its rule."""
        if key not in self.defaults:
            return ""
        return f"leave the key out for {self.defaults[key]!r}, the family's default"

    def _own_name(self, key: str) -> str:
        """Return the name of a key in the family's files."""
        return self.names.get(key) or self.renamed.get(key, key)

    def _spellings(self, key: str) -> list[str]:
        """Return the names under which a key is read, the one that wins first."""
        if key in self.renamed:
            return [self.renamed[key]]
        older = self.older.get(key)
        wins = [older] if older and self.table.get(older) is not None else []
        return [*wins, *dict.fromkeys((key, self.names.get(key, key)))]

    def _compare(self, winner: str, other: str) -> None:
        """Warn if two names of a key stand for different values."""
        values = self.table[winner], self.table[other]
        if values[0] != values[1]:
            self.warnings.append(
                f"{self.where}{winner} is {_short(values[0])} and {other} "
                f"{_short(values[1])}: {winner} wins."
            )

    def _optional(self, key: str, check: Callable[[], Any]) -> Any:
        return None if self.get(key) is None else check()

    def _limited(self, key: str, value: Any, limit: int = 2**31) -> Any:
        if value > limit:
            msg = (
                f"{self.name(key)} must be at most {limit:.3g}, got more: is it a typo?"
            )
            raise ValueError(msg)
        return value


def _short(value: Any) -> str:
    words = repr(value)
    return words if len(words) <= 60 else f"a {type(value).__name__}"
