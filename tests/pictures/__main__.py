"""`make screenshots`: make the pictures of the documentation anew, into `docs/images`."""

import asyncio

from tests.pictures.album import FOLDER, PICTURES


async def main() -> None:
    """Make them all."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    for name, make in PICTURES.items():
        drawn = await make()
        (FOLDER / name).write_bytes(drawn)
        print(f"docs/images/{name}: {len(drawn) // 1024} KiB")


if __name__ == "__main__":
    asyncio.run(main())
