"""The language in which this process speaks to its user: English, or one with a catalogue.

Owns: which language it is, finding it by a tag or by the environment, and translating a sentence.
Knows nothing of: which sentences there are (`make catalogues` collects them), and of the agent's
text, which is never translated.
Above it: `wording` and its like, the presenters, the command line. Below it: the catalogues
(`catalogues/*.mo`), read when a language other than English is chosen and never before.

English is the source: a sentence without a translation stays English. The language is one for the
whole process, as its user is one. Nothing chooses it but a call of `use_language`.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from gettext import GNUTranslations

__all__ = [
    "LANGUAGES",
    "current_language",
    "language_of",
    "match_language",
    "tr",
    "tr_count",
    "tr_later",
    "use_language",
]

LANGUAGES: Mapping[str, str] = MappingProxyType({"en": "English", "zh-CN": "简体中文"})
"""The languages by their tags, each by its own name."""

_ENVIRONMENT = ("LC_ALL", "LC_MESSAGES", "LANG")
"""Where POSIX has the language of messages; the first that is not empty counts."""

# Of Chinese, what is written in other characters than the simplified ones.
_TRADITIONAL = frozenset(("hant", "tw", "hk", "mo"))

_SLOT = "{}"

_language = "en"
_translations: "GNUTranslations | None" = None


def use_language(tag: str) -> None:
    """Speak the language that `tag` names, from now on and in all of the process.

    Raises:
        ValueError: there is no catalogue for it; the message names those that there are.
    """
    global _language, _translations  # noqa: PLW0603  # one user, one language
    found = match_language(tag)
    if found is None:
        raise ValueError(f"no such language: {tag}; there are {', '.join(LANGUAGES)}")
    _translations = None if found == "en" else _load(found)
    _language = found


def current_language() -> str:
    """Return the tag of the language that is spoken now."""
    return _language


def match_language(tag: str) -> str | None:
    """Return which of `LANGUAGES` a tag ("zh-Hans", "zh_CN.UTF-8") names, or None."""
    plain = tag.partition(".")[0].partition("@")[0]  # without an encoding and a variant
    language, *subtags = plain.replace("_", "-").casefold().split("-")
    match language:
        case "en" | "c" | "posix":
            return "en"
        case "zh" if "hans" in subtags or _TRADITIONAL.isdisjoint(subtags):
            return "zh-CN"
        case _:
            return None


def language_of(environment: Mapping[str, str]) -> str:
    """Return which of `LANGUAGES` the environment of a process asks for; English by default."""
    named = next(filter(None, map(environment.get, _ENVIRONMENT)), "en")
    return match_language(named) or "en"


def tr(message: str, /, **values: object) -> str:
    """Return `message` in the user's language, with `values` in place of its `{names}`.

    Values are put in as they are: make the agent's text visible before, or after. A `{}` stays as
    it is, for whoever puts untrusted text there.
    """
    text = message if _translations is None else _translations.gettext(message)
    return text.format(_SLOT, **values) if values else text


def tr_count(one: str, many: str, count: int, /, **values: object) -> str:
    """Return the form of a message for `count`, which is its `{count}`; otherwise as `tr`."""
    if _translations is None:
        text = one if count == 1 else many
    else:
        text = _translations.ngettext(one, many, count)
    return text.format(_SLOT, count=count, **values)


def tr_later(message: str) -> str:
    """Return `message` as it is: it is collected here, and translated where it is used."""
    return message


def _load(language: str) -> "GNUTranslations":
    import io
    import pkgutil
    from gettext import GNUTranslations

    name = f"catalogues/{language.replace('-', '_')}.mo"
    catalogue = pkgutil.get_data("acp_elicitation.text", name)
    assert catalogue is not None  # the loader of any installed package reads data
    return GNUTranslations(io.BytesIO(catalogue))
