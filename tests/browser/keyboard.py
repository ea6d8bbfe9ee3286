"""Someone who has a keyboard and nothing else."""

from playwright.async_api import Locator, Page

__all__ = ["focused", "press_to", "types"]

_MOST_STOPS = 80


async def focused(locator: Locator) -> bool:
    """Whether what was found has the focus."""
    return bool(await locator.evaluate("element => element === document.activeElement"))


async def press_to(page: Page, target: Locator) -> None:
    """Press Tab until the target has the focus; of a group of radio buttons, any one of it."""
    await target.wait_for()
    for _ in range(_MOST_STOPS):
        if await _is_reached(target):
            return
        await page.keyboard.press("Tab")
    raise AssertionError(f"the keyboard does not reach {target}")


async def _is_reached(target: Locator) -> bool:
    return bool(
        await target.evaluate(
            """element => {
                const now = document.activeElement;
                return now === element
                    || (element.type === 'radio' && now?.name === element.name);
            }"""
        )
    )


async def types(page: Page, *keys: str) -> None:
    """Type texts, and press keys, which stand in angle brackets: `<Enter>`."""
    for key in keys:
        if key.startswith("<") and key.endswith(">"):
            await page.keyboard.press(key[1:-1])
        else:
            await page.keyboard.type(key)
