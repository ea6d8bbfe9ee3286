"""Pages elsewhere that report back: what a report has to be to count, and that it counts once."""

import hmac
import json
import time
from collections.abc import AsyncIterator
from html import unescape
from pathlib import Path
from typing import Any

import httpx2
import pytest
from cryptography.hazmat.primitives.asymmetric import rsa
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from joserfc import jws, jwt
from joserfc.jwk import ECKey, OctKey, OKPKey, RSAKey
from joserfc.util import urlsafe_b64encode

from acp_elicitation.agent.connecting import Grant
from acp_elicitation.connect.providers import Callback
from acp_elicitation.connect.secret import Secret
from tests.connecting import ADA, BASE, LINK, Browser, Running, running

SHARED = "a-secret-of-both-sides-that-is-long-enough"
SHOP = Callback(
    name="shop", page="https://shop.example/pay?x=1", reporter="shop.example", key=Secret(SHARED)
)
BANK = Callback(
    name="bank", page="https://bank.example/", reporter="bank.example", key=Secret(SHARED)
)
REPORTS = f"{BASE}/report/shop"


@pytest.fixture
async def run(tmp_path: Path) -> AsyncIterator[Running]:
    async with running(tmp_path, [SHOP, BANK]) as run:
        yield run


async def send_away(run: Running, provider: str = "shop") -> dict[str, str]:
    """Begin, and return the parameters with which the user comes to the page."""
    browser = Browser(run.service)
    page = await browser.answer(await browser.open(await run.link(provider)))
    assert page.headers["x-remembered"] == "yes"
    url = httpx2.URL(unescape(page.text.partition('id="onward" href="')[2].partition('"')[0]))
    assert url.host == f"{provider}.example"
    return dict(url.params)


def written(reference: str, **changes: Any) -> dict[str, Any]:
    claims = {
        "iss": "shop.example",
        "aud": REPORTS,
        "exp": int(time.time()) + 60,
        "reference": reference,
        "status": "completed",
        "account": "card 1234",
        **changes,
    }
    return {name: value for name, value in claims.items() if value is not None}


def signed(reference: str, key: str = SHARED, **changes: Any) -> str:
    return jwt.encode({"alg": "HS256"}, written(reference, **changes), OctKey.import_key(key))


async def report(run: Running, text: str, provider: str = "shop") -> int:
    """Report as a server does, which is no browser of anybody."""
    browser = Browser(run.service, user=None)
    return (await browser.post(f"/connect/report/{provider}", content=text)).status_code


async def test_a_report_connects_the_user_and_keeps_what_it_says(run: Running) -> None:
    asked = await send_away(run)
    assert (asked["x"], asked["return_to"]) == ("1", f"{BASE}/link/{LINK}/end")
    assert await report(run, signed(asked["reference"]) + "\n") == 204
    assert await run.state() == ("COMPLETED", "")
    assert await run.vault.grants(ADA) == (Grant(provider="shop", account="card 1234"),)


async def test_a_report_of_a_failure_connects_nobody(run: Running) -> None:
    asked = await send_away(run)
    assert await report(run, signed(asked["reference"], status="failed", account=None)) == 204
    assert await run.state() == ("FAILED", "denied")
    assert await run.vault.grants(ADA) == ()


async def test_a_report_counts_once(run: Running) -> None:
    asked = await send_away(run)
    assert await report(run, signed(asked["reference"])) == 204
    assert await report(run, signed(asked["reference"], status="failed")) == 409
    assert await run.state() == ("COMPLETED", "")


@pytest.mark.parametrize(
    "changes",
    [
        {"iss": "another.example"},
        {"iss": None},
        {"aud": f"{BASE}/report/bank"},
        {"aud": None},
        {"exp": int(time.time()) - 3600},
        {"exp": None},
        {"exp": "never"},
        {"nbf": int(time.time()) + 3600},
        {"status": "perhaps"},
        {"status": None},
        {"reference": None},
        {"account": 7},
        {"account": ["card"]},
    ],
)
async def test_a_report_that_is_not_in_order_changes_nothing(
    run: Running, changes: dict[str, Any]
) -> None:
    asked = await send_away(run)
    claims = {"reference": asked["reference"], **changes}
    text = jwt.encode({"alg": "HS256"}, written(**claims), OctKey.import_key(SHARED))
    assert await report(run, text) == 400
    assert await run.state() == ("STARTED", "")


@pytest.mark.parametrize("reference", [7, ["x"], {"x": 1}, True])
async def test_a_reference_that_is_no_text_is_none(run: Running, reference: Any) -> None:
    await send_away(run)
    assert await report(run, signed(reference)) == 400


async def test_a_report_that_another_has_signed_changes_nothing(run: Running) -> None:
    reference = (await send_away(run))["reference"]
    unsigned = signed(reference).rpartition(".")[0] + "."
    other_length = jwt.encode(
        {"alg": "HS512"}, written(reference), OctKey.import_key(SHARED), ["HS512"]
    )
    for text in (
        signed(reference, key="another-secret-that-is-long-enough"),
        unsigned,
        other_length,
    ):
        assert await report(run, text) == 400
    for text in ("", "..", "x.y.z", "\x00", "{}", "é"):
        assert await report(run, text) == 400
    assert await run.state() == ("STARTED", "")


async def test_a_report_about_what_nobody_has_begun_is_about_nothing(run: Running) -> None:
    await run.link("shop")
    assert await report(run, signed("unknown")) == 404
    assert await report(run, signed("unknown"), provider="unknown") == 404
    assert await run.state() == ("OPEN", "")


async def test_a_reporter_says_nothing_about_what_was_begun_with_another(run: Running) -> None:
    asked = await send_away(run, "bank")
    assert await report(run, signed(asked["reference"])) == 404
    assert await run.vault.grants(ADA) == ()
    assert (await run.state())[0] != "COMPLETED"


async def test_an_account_is_kept_in_a_length_that_can_be_shown(run: Running) -> None:
    asked = await send_away(run)
    await report(run, signed(asked["reference"], account="a" * 1_000))
    assert (await run.vault.grants(ADA))[0].account == "a" * 200


async def test_an_account_that_cannot_be_shown_is_not_kept(run: Running) -> None:
    asked = await send_away(run)
    claims = json.dumps(written(asked["reference"], account="\ud800\u202e")).encode()
    text = jws.serialize_compact({"alg": "HS256"}, claims, OctKey.import_key(SHARED))
    assert await report(run, text) == 204
    assert (await run.vault.grants(ADA))[0].account == ""


def with_key(algorithm: str, key: str) -> Callback:
    known = {"name": "shop", "page": SHOP.page, "reporter": SHOP.reporter}
    return Callback(**known, key=Secret(key), algorithm=algorithm)


@pytest.mark.filterwarnings("ignore:EdDSA is deprecated")  # and still what many write
@pytest.mark.parametrize(
    ("algorithm", "name", "key"),
    [
        ("ES256", "ES256", ECKey.generate_key("P-256")),
        ("RS256", "RS256", RSAKey.generate_key(2048)),
        ("PS256", "PS256", RSAKey.generate_key(2048)),
        ("EdDSA", "EdDSA", OKPKey.generate_key("Ed25519")),
        ("EdDSA", "Ed25519", OKPKey.generate_key("Ed25519")),
    ],
)
async def test_a_reporter_may_have_a_key_of_its_own(
    tmp_path: Path, algorithm: str, name: str, key: Any
) -> None:
    public = key.as_pem(private=False).decode()
    async with running(tmp_path, [with_key(algorithm, public)]) as run:
        reference = (await send_away(run))["reference"]
        for forged in (signed(reference), signed_with_the_public_key(reference, public)):
            assert await report(run, forged) == 400
        right = jwt.encode({"alg": name}, written(reference), key, [name])
        assert await report(run, right) == 204
        assert await run.state() == ("COMPLETED", "")


def signed_with_the_public_key(reference: str, public: str) -> str:
    """What an attacker writes who hopes that the key is taken for a secret."""
    head, body, _ = signed(reference).split(".")
    mac = hmac.digest(public.encode(), f"{head}.{body}".encode(), "sha256")
    return f"{head}.{body}.{urlsafe_b64encode(mac).decode()}"


@pytest.mark.parametrize("algorithm", ["RS256", "ES256", "EdDSA", "none", "XX256"])
async def test_a_key_that_is_none_is_told_of_at_the_start(tmp_path: Path, algorithm: str) -> None:
    with pytest.raises(ValueError, match="none for its algorithm") as caught:
        async with running(tmp_path, [with_key(algorithm, SHARED)]):
            pass
    assert SHARED not in str(caught.value)


def public(bits: int) -> str:
    key = rsa.generate_private_key(65537, bits).public_key()
    return key.public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo).decode()


@pytest.mark.parametrize(
    ("algorithm", "key"),
    [
        ("HS256", "k" * 31),
        ("HS256", public(2048)),
        ("HS256", f"\n  {public(2048)}"),
        ("HS256", "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIFakeFakeFakeFake"),
        ("RS256", public(1024)),
    ],
    ids=["short", "public", "public-after-blanks", "ssh", "weak"],
)
async def test_a_key_that_others_know_or_find_is_none(
    tmp_path: Path, algorithm: str, key: str
) -> None:
    with pytest.raises(ValueError, match="none for its algorithm"):
        async with running(tmp_path, [with_key(algorithm, key)]):
            pass


async def test_blanks_around_a_secret_are_not_part_of_it(tmp_path: Path) -> None:
    async with running(tmp_path, [with_key("HS256", f"\n{SHARED}\n")]) as run:
        reference = (await send_away(run))["reference"]
        assert await report(run, signed(reference)) == 204
