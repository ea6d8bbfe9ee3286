"""The formats of an answers file: YAML, JSON and TOML, each read without guessing.

Owns: which format a name means, and that no key is written twice: the second one would silently
win in YAML and JSON. Knows nothing of: rules. Above it: `answers`. Below it: the parsers.
"""

import datetime
import json
from collections.abc import Callable, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any

__all__ = ["NotReadable", "dates_as_text", "parse_file"]


_DEEPEST = 100
"""Brackets within brackets in YAML; answers need a handful."""


class NotReadable(Exception):
    """A file that cannot be read, and why."""


def parse_file(path: Path) -> object:
    """Return what a file holds, by the format that its name ends in.

    Raises:
        NotReadable: there is no such file, or it is not of that format.
    """
    suffix = path.suffix.lower()
    if suffix not in _PARSERS:
        raise NotReadable(f"the name has to end in {', '.join(_PARSERS)}")
    try:
        return _PARSERS[suffix](path.read_bytes())
    except OSError as error:
        raise NotReadable(error.strerror) from None
    except RecursionError:
        raise NotReadable(f"not readable as {suffix[1:]}: nested too deeply") from None
    except Exception as error:  # three parsers, three families of exceptions
        reason = " ".join(str(error).split())
        raise NotReadable(f"not readable as {suffix[1:]}: {reason}") from None


def dates_as_text(value: object) -> object:
    """Return `value` with dates as the text that a form expects: YAML and TOML read them."""
    match value:
        case dict():
            return {name: dates_as_text(member) for name, member in value.items()}
        case list():
            return [dates_as_text(member) for member in value]
        case datetime.date():  # and datetime.datetime, which is one
            return value.isoformat()
        case _:
            return value


def _parse_yaml(text: bytes) -> object:
    import yaml

    class Loader(yaml.SafeLoader):
        def fetch_flow_collection_start(self, token: type[yaml.Token]) -> None:
            # Else what is refused in the end is scanned first, in time that grows with the square.
            if self.flow_level >= _DEEPEST:
                raise RecursionError
            super().fetch_flow_collection_start(token)

        def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> Any:
            keys = set()
            for key, _ in node.value:
                name = (key.tag, key.value) if isinstance(key, yaml.ScalarNode) else id(key)
                if name in keys:
                    line = key.start_mark.line + 1
                    raise ValueError(f"line {line}: the key {key.value!r} stands here twice")
                keys.add(name)
            return super().construct_mapping(node, deep)

    return yaml.load(text, Loader)


def _parse_json(text: bytes) -> object:
    def unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        members = dict(pairs)
        if len(members) < len(pairs):
            names = [name for name, _ in pairs]
            twice = next(name for name in names if names.count(name) > 1)
            raise ValueError(f"the key {twice!r} stands twice in one object")
        return members

    return json.loads(text.decode("utf-8-sig"), object_pairs_hook=unique)


def _parse_toml(text: bytes) -> object:
    import tomllib

    return tomllib.loads(text.decode())


_PARSERS: Mapping[str, Callable[[bytes], object]] = MappingProxyType(
    {".yaml": _parse_yaml, ".yml": _parse_yaml, ".json": _parse_json, ".toml": _parse_toml}
)
