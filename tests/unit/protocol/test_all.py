"""What holds for every module of the protocol layer."""

import importlib
import pkgutil
from types import ModuleType

import msgspec
import pytest

import acp_elicitation.protocol

NAMES = [module.name for module in pkgutil.iter_modules(acp_elicitation.protocol.__path__)]
MODULES = [importlib.import_module(f"acp_elicitation.protocol.{name}") for name in NAMES]

STRUCTS: set[type[msgspec.Struct]] = {
    found
    for module in MODULES
    for found in vars(module).values()
    if isinstance(found, type) and issubclass(found, msgspec.Struct) and found is not msgspec.Struct
}

ORDERED = sorted(STRUCTS, key=lambda struct: struct.__name__)

POSITIONAL = {"Accepted", "Cancelled", "Declined", "Field"}
"""Those that read best with their fields in order: the three answers, the rows of a table."""


@pytest.mark.parametrize("struct", ORDERED)
def test_data_is_frozen_and_takes_its_fields_by_keyword(struct: type[msgspec.Struct]) -> None:
    assert struct.__struct_config__.frozen
    if struct.__name__ not in POSITIONAL:
        with pytest.raises(TypeError, match="Extra positional arguments"):
            struct(*[None] * len(struct.__struct_fields__))


@pytest.mark.parametrize("module", MODULES, ids=NAMES)
def test_a_module_lists_what_it_offers_in_order_and_nothing_that_is_not_there(
    module: ModuleType,
) -> None:
    def key(name: str) -> tuple[int, str]:
        """Constants, then classes, then the rest: as ruff sorts them."""
        return (0 if name.isupper() else 1 if name[0].isupper() else 2), name

    offered = module.__all__
    assert offered == sorted(offered, key=key)
    own = {
        name
        for name, value in vars(module).items()
        if getattr(value, "__module__", None) == module.__name__
        and isinstance(getattr(value, "__qualname__", None), str)
        and not name.startswith("_")
    }
    assert own <= set(offered) <= set(vars(module))


@pytest.mark.parametrize("module", MODULES, ids=NAMES)
def test_a_module_opens_with_its_three_facts(module: ModuleType) -> None:
    facts = module.__doc__ or ""
    for fact in ("Owns:", "nows nothing of:", "Above it:", "Below it:"):
        assert fact in facts
