"""axe-core, the accessibility checker, on a page as it stands."""

from pathlib import Path
from typing import Any

from playwright.async_api import Page

__all__ = ["grave_violations"]

_SOURCE = Path(__file__).resolve().parents[1] / "node_modules" / "axe-core" / "axe.min.js"


async def grave_violations(page: Page) -> list[str]:
    """Return what axe-core finds serious or critical the rule, and where."""
    await page.evaluate(_SOURCE.read_text(encoding="utf-8") + "; undefined")
    found: dict[str, Any] = await page.evaluate("axe.run({resultTypes: ['violations']})")
    assert found["passes"], "axe-core judged nothing"
    return [
        f"{violation['id']} ({violation['impact']}): {node['html']}: {node['failureSummary']}"
        for violation in found["violations"]
        if violation["impact"] in ("serious", "critical")
        for node in violation["nodes"]
    ]
