"""Checks the types of arguments for jaxtyping's hook (``make test``).

An int is welcome where a float is declared, as PEP 484 has it and mypy takes it.
"""

from beartype import BeartypeConf, beartype

check = beartype(conf=BeartypeConf(is_pep484_tower=True))
