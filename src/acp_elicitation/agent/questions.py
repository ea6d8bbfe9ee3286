"""One question, one value: the short ways to ask for a yes, a text, a number, a choice or a date.

Owns: the form of each short question, and the value that its answer is.
Knows nothing of: capabilities, requests and connections; `Elicitor` adds the asking.
Above it: `elicitor`. Below it: `forms`, `protocol`.
"""

import abc
import datetime
import enum
from collections.abc import Callable, Iterable, Mapping
from typing import Any, TypeVar, Unpack, overload

from acp_elicitation.agent.asking import Asking
from acp_elicitation.agent.fallback import Fallback
from acp_elicitation.agent.values import (
    ANSWER,
    OTHER,
    choices_of,
    chosen_or_written,
    date_of,
    day_of,
    listed,
    number_of,
    value_of,
)
from acp_elicitation.protocol.answers import Answer
from acp_elicitation.protocol.schema import (
    FormSchema,
    IntegerProperty,
    MultiSelectProperty,
    NumberProperty,
    Property,
    SelectProperty,
    StringProperty,
)

__all__ = ["Questions"]

T = TypeVar("T")
EnumT = TypeVar("EnumT", bound=enum.Enum)


class Questions(abc.ABC):
    """The short questions; every one raises what `Elicitor.form` does."""

    @abc.abstractmethod
    async def _question(
        self,
        message: str,
        form: FormSchema,
        build: Callable[[dict[str, Any]], T],
        fallback: Fallback[T] | None,
        asking: Asking,
    ) -> Answer[T]:
        """Show `form` and return what `build` makes of the checked content."""

    async def confirm(
        self, message: str, *, fallback: Fallback[bool] | None = None, **asking: Unpack[Asking]
    ) -> Answer[bool]:
        """Ask for a yes or a no: `Accepted(True)`, or `Declined()`, or `Cancelled()`.

        The form has no fields, so that one key answers it. An answer is true in an `if` only when
        it was accepted.
        """
        form = FormSchema(properties={})
        return await self._question(message, form, lambda _: True, fallback, asking)

    async def text(
        self,
        message: str,
        *,
        label: str | None = None,
        description: str | None = None,
        default: str | None = None,
        min_length: int | None = None,
        max_length: int | None = None,
        pattern: str | None = None,
        format: str | None = None,
        fallback: Fallback[str] | None = None,
        **asking: Unpack[Asking],
    ) -> Answer[str]:
        """Ask for a text. Lengths count Unicode code points; `pattern` is ECMA-262, unanchored."""
        member = StringProperty(
            title=label,
            description=description,
            default=default,
            min_length=min_length,
            max_length=max_length,
            pattern=pattern,
            format=format,
        )
        return await self._one(message, member, str, fallback, asking)

    async def number(
        self,
        message: str,
        *,
        label: str | None = None,
        description: str | None = None,
        default: float | None = None,
        minimum: float | None = None,
        maximum: float | None = None,
        fallback: Fallback[float] | None = None,
        **asking: Unpack[Asking],
    ) -> Answer[float]:
        """Ask for a number; the bounds are inclusive."""
        member = NumberProperty(
            title=label,
            description=description,
            default=default,
            minimum=minimum,
            maximum=maximum,
        )
        return await self._one(message, member, number_of, fallback, asking)

    async def integer(
        self,
        message: str,
        *,
        label: str | None = None,
        description: str | None = None,
        default: int | None = None,
        minimum: int | None = None,
        maximum: int | None = None,
        fallback: Fallback[int] | None = None,
        **asking: Unpack[Asking],
    ) -> Answer[int]:
        """Ask for a whole number; the bounds are inclusive."""
        member = IntegerProperty(
            title=label,
            description=description,
            default=default,
            minimum=minimum,
            maximum=maximum,
        )
        return await self._one(message, member, int, fallback, asking)

    async def date(
        self,
        message: str,
        *,
        label: str | None = None,
        description: str | None = None,
        default: datetime.date | None = None,
        fallback: Fallback[datetime.date] | None = None,
        **asking: Unpack[Asking],
    ) -> Answer[datetime.date]:
        """Ask for a day of the calendar."""
        member = StringProperty(
            title=label,
            description=description,
            default=None if default is None else day_of(default),
            format="date",
        )
        return await self._one(message, member, date_of, fallback, asking)

    @overload
    async def choose(  # type: ignore[overload-overlap]  # an enum is iterable too
        self,
        message: str,
        options: type[EnumT],
        *,
        label: str | None = None,
        description: str | None = None,
        default: EnumT | None = None,
        fallback: Fallback[EnumT] | None = None,
        **asking: Unpack[Asking],
    ) -> Answer[EnumT]: ...

    @overload
    async def choose(
        self,
        message: str,
        options: Mapping[str, str] | Iterable[str],
        *,
        label: str | None = None,
        description: str | None = None,
        default: str | None = None,
        other: bool | str = False,
        fallback: Fallback[str] | None = None,
        **asking: Unpack[Asking],
    ) -> Answer[str]: ...

    async def choose(
        self,
        message: str,
        options: Any,
        *,
        label: str | None = None,
        description: str | None = None,
        default: Any = None,
        other: bool | str = False,
        fallback: Fallback[Any] | None = None,
        **asking: Unpack[Asking],
    ) -> Answer[Any]:
        """Ask for one choice.

        Args:
            message: what the user is asked.
            options: the values; a mapping gives each a title; an `Enum` gives its members, and one
                of them is returned.
            label, description: the wording of the field.
            default: the value chosen beforehand.
            other: offer a free text besides; a string is its label. The restricted schema has no
                property that is both, so it is a second one, and what is written there wins.
            asking: see `Asking`.
        """
        choices, back = choices_of(options)
        member = SelectProperty(
            title=label,
            description=description,
            default=None if default is None else value_of(default),
            options=choices,
        )
        if not other:
            return await self._one(message, member, back, fallback, asking)
        free = StringProperty(title=other if isinstance(other, str) else "Other", min_length=1)
        form = FormSchema(properties={ANSWER: member, OTHER: free})
        return await self._question(
            message, form, lambda content: chosen_or_written(content, back), fallback, asking
        )

    @overload
    async def choose_many(  # type: ignore[overload-overlap]  # an enum is iterable too
        self,
        message: str,
        options: type[EnumT],
        *,
        label: str | None = None,
        description: str | None = None,
        default: Iterable[EnumT] | None = None,
        min_items: int | None = None,
        max_items: int | None = None,
        fallback: Fallback[list[EnumT]] | None = None,
        **asking: Unpack[Asking],
    ) -> Answer[list[EnumT]]: ...

    @overload
    async def choose_many(
        self,
        message: str,
        options: Mapping[str, str] | Iterable[str],
        *,
        label: str | None = None,
        description: str | None = None,
        default: Iterable[str] | None = None,
        min_items: int | None = None,
        max_items: int | None = None,
        fallback: Fallback[list[str]] | None = None,
        **asking: Unpack[Asking],
    ) -> Answer[list[str]]: ...

    async def choose_many(
        self,
        message: str,
        options: Any,
        *,
        label: str | None = None,
        description: str | None = None,
        default: Iterable[Any] | None = None,
        min_items: int | None = None,
        max_items: int | None = None,
        fallback: Fallback[list[Any]] | None = None,
        **asking: Unpack[Asking],
    ) -> Answer[list[Any]]:
        """Ask for any number of choices, within the limits, in the order of the options."""
        choices, back = choices_of(options)
        member = MultiSelectProperty(
            title=label,
            description=description,
            default=None if default is None else tuple(map(value_of, listed("default", default))),
            options=choices,
            min_items=min_items,
            max_items=max_items,
        )

        def chosen(values: list[str]) -> list[Any]:
            return [back(option.value) for option in choices if option.value in values]

        return await self._one(message, member, chosen, fallback, asking)

    async def _one(
        self,
        message: str,
        member: Property,
        build: Callable[[Any], T],
        fallback: Fallback[T] | None,
        asking: Asking,
    ) -> Answer[T]:
        form = FormSchema(properties={ANSWER: member}, required=(ANSWER,))
        return await self._question(
            message, form, lambda content: build(content[ANSWER]), fallback, asking
        )
