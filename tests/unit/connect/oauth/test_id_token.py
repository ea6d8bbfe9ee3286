"""Id tokens: one that is in order is believed, and each thing that can be wrong is refused."""

import base64
import hashlib
import json
import time
from typing import Any

import pytest
from joserfc import jws, jwt
from joserfc.jwk import ECKey, OctKey, OKPKey, RSAKey

from acp_elicitation.connect.errors import ProviderFault
from acp_elicitation.connect.oauth.id_token import UnknownKey, read_id_token
from tests.openid.spoiling import CLAIMS, sign, spoil_claims

ISSUER, CLIENT, NONCE, ACCESS = "https://provider.example", "acp", "a-nonce", "an-access-token"
CLIENT_SECRET = "strict-client-secret-of-32-bytes-or-more"
KEY = ECKey.generate_key("P-256", {"kid": "one", "use": "sig"})
HEADER = {"alg": "ES256", "kid": "one"}
PUBLISHED = {"keys": [KEY.as_dict(private=False)]}


def claims(**changes: Any) -> dict[str, Any]:
    half = hashlib.sha256(ACCESS.encode()).digest()[:16]
    now = int(time.time())
    return {
        "iss": ISSUER,
        "sub": "subject-ada",
        "aud": CLIENT,
        "exp": now + 300,
        "iat": now,
        "nonce": NONCE,
        "at_hash": base64.urlsafe_b64encode(half).rstrip(b"=").decode(),
        **changes,
    }


def read(text: str, *, keys: Any = PUBLISHED, algorithms: Any = ("ES256",)) -> Any:
    return read_id_token(
        text,
        keys=keys,
        algorithms=algorithms,
        provider="hub",
        issuer=ISSUER,
        client_id=CLIENT,
        nonce=NONCE,
        access_token=ACCESS,
        now=int(time.time()),
    )


def spoiled(*faults: str) -> str:
    return sign(spoil_claims(claims(), set(faults)), KEY, CLIENT_SECRET, set(faults))


def signed(**changes: Any) -> str:
    return sign(claims(**changes), KEY, CLIENT_SECRET, set())


WHY = {
    "id-issuer-other": "another issuer",
    "id-issuer-missing": "another issuer",
    "id-audience-other": "for another client",
    "id-audience-missing": "for another client",
    "id-audience-many": "given to another",
    "id-party-other": "given to another",
    "id-nonce-other": "another beginning",
    "id-nonce-missing": "another beginning",
    "id-expired": "has expired",
    "id-expiry-missing": "has expired",
    "id-expiry-text": "has expired",
    "id-issued-later": "of the future",
    "id-issued-missing": "of the future",
    "id-not-before-later": "not valid yet",
    "id-subject-missing": "who the user is",
    "id-subject-number": "who the user is",
    "id-hash-other": "another access token",
}
SIGNATURES = [
    "id-unsigned",
    "id-symmetric",
    "id-client-secret",
    "id-key-other",
    "id-changed",
    "id-garbage",
]


def test_a_token_that_is_in_order_is_believed() -> None:
    assert read(spoiled())["sub"] == "subject-ada"


def test_every_wrong_claim_of_the_strict_provider_is_judged_here() -> None:
    assert set(CLAIMS) - set(WHY) == {"id-subject-other"}  # which only the user info contradicts


@pytest.mark.parametrize("fault", WHY)
def test_a_claim_that_is_wrong_is_not_believed(fault: str) -> None:
    with pytest.raises(ProviderFault, match=WHY[fault]):
        read(spoiled(fault))


@pytest.mark.parametrize("fault", SIGNATURES)
def test_a_signature_that_is_wrong_is_not_believed(fault: str) -> None:
    with pytest.raises(ProviderFault, match="signature"):
        read(spoiled(fault))


@pytest.mark.parametrize("fault", ["id-key-unknown", "id-key-inside"])
def test_a_key_that_is_not_published_may_be_a_new_one_and_is_never_used(fault: str) -> None:
    second = ECKey.generate_key("P-256", {"kid": "two"})
    with pytest.raises(UnknownKey):
        read(spoiled(fault), keys={"keys": [*PUBLISHED["keys"], second.as_dict(private=False)]})


def test_the_signature_of_an_algorithm_that_the_provider_does_not_use_is_not_believed() -> None:
    with pytest.raises(ProviderFault, match="signature"):
        read(spoiled(), algorithms=("RS256",))


def test_a_published_key_for_a_shared_secret_is_no_key() -> None:
    shared = OctKey.import_key(CLIENT_SECRET, {"kid": "one"})
    text = jwt.encode({"alg": "HS256", "kid": "one"}, claims(), shared)
    with pytest.raises(UnknownKey):
        read(text, keys={"keys": [shared.as_dict(private=True)]}, algorithms=("HS256",))


def test_a_key_for_encryption_signs_nothing() -> None:
    text = jwt.encode({"alg": "ES256"}, claims(), KEY)
    assert read(text)["sub"] == "subject-ada"
    with pytest.raises(UnknownKey):
        read(text, keys={"keys": [{**KEY.as_dict(private=False), "use": "enc"}]})


@pytest.mark.parametrize("keys", [{}, {"keys": None}, {"keys": []}, {"keys": [7, "x", None]}])
def test_keys_that_are_none_are_no_keys(keys: Any) -> None:
    with pytest.raises(UnknownKey):
        read(spoiled(), keys=keys)


def test_of_keys_without_end_only_so_many_are_read() -> None:
    many = [{"kty": "RSA", "kid": "short"}] * 99
    assert read(spoiled(), keys={"keys": [*many, *PUBLISHED["keys"]]})["sub"] == "subject-ada"
    with pytest.raises(UnknownKey):
        read(spoiled(), keys={"keys": [*many, *many, *PUBLISHED["keys"]]})


def test_a_key_that_nobody_knows_does_not_spoil_the_others() -> None:
    odd = [
        {"kty": "AKP", "kid": "new", "alg": "ML-DSA-44"},
        {"kty": "EC", "kid": "curve", "crv": "P-999", "x": "AA", "y": "AA"},
        {"kty": "RSA", "kid": "short"},
        {"kty": ["RSA"]},
    ]
    assert read(spoiled(), keys={"keys": [*odd, *PUBLISHED["keys"]]})["sub"] == "subject-ada"


@pytest.mark.parametrize(
    ("key", "algorithm", "hash_of"),
    [
        (RSAKey.generate_key(2048, {"kid": "r"}), "RS256", hashlib.sha256),
        (ECKey.generate_key("P-384", {"kid": "e"}), "ES384", hashlib.sha384),
        (OKPKey.generate_key("Ed25519", {"kid": "d"}), "Ed25519", hashlib.sha512),
    ],
)
def test_other_signatures_are_read_with_their_own_hash(
    key: Any, algorithm: str, hash_of: Any
) -> None:
    digest = hash_of(ACCESS.encode()).digest()
    half = base64.urlsafe_b64encode(digest[: len(digest) // 2]).rstrip(b"=").decode()
    text = jwt.encode({"alg": algorithm, "kid": key.kid}, claims(at_hash=half), key, [algorithm])
    keys = {"keys": [key.as_dict(private=False)]}
    assert read(text, keys=keys, algorithms=(algorithm,))["at_hash"] == half


@pytest.mark.parametrize("seconds", [-59, 59])
def test_clocks_may_differ_by_a_minute(seconds: int) -> None:
    now = int(time.time())
    assert read(signed(exp=now + seconds, iat=now + seconds))["sub"] == "subject-ada"


@pytest.mark.parametrize(
    "changes",
    [
        {"exp": float("inf")},
        {"iat": True},
        {"iat": float("nan")},
        {"nonce": "\ud800"},
        {"nonce": None},
        {"sub": "\ud800"},
        {"sub": ""},
        {"sub": "a" * 256},
        {"sub": "a\u202eb"},
        {"iss": [ISSUER]},
        {"aud": {"acp": 1}},
        {"aud": []},
        {"at_hash": 7},
        {"at_hash": "\ud800"},
    ],
)
def test_values_that_nobody_writes_are_refused_and_break_nothing(changes: dict[str, Any]) -> None:
    with pytest.raises(ProviderFault):
        read(signed(**changes))


def test_a_number_of_any_size_breaks_nothing() -> None:
    assert read(signed(exp=10**400))["sub"] == "subject-ada"
    with pytest.raises(ProviderFault, match="future"):
        read(signed(iat=10**400))


def test_an_audience_of_one_or_of_several_with_us_as_the_party_is_ours() -> None:
    assert read(signed(aud=[CLIENT]))["sub"] == "subject-ada"
    assert read(signed(aud=[CLIENT, "other"], azp=CLIENT))["sub"] == "subject-ada"


def test_a_token_without_the_hash_of_an_access_token_is_in_order() -> None:
    plain = claims()
    del plain["at_hash"]
    assert read(sign(plain, KEY, CLIENT_SECRET, set()))["sub"] == "subject-ada"


@pytest.mark.parametrize(
    "more", [{"x-unknown": 1}, {"x5c": ["A" * 4_000]}, {"jwk": KEY.as_dict(private=False)}]
)
def test_what_nobody_has_to_know_in_a_header_is_left(more: dict[str, Any]) -> None:
    header = {**HEADER, **more}
    registry = jws.JWSRegistry(strict_check_header=False)
    registry.max_header_length = 16_000
    text = jws.serialize_compact(header, json.dumps(claims()).encode(), KEY, registry=registry)
    assert read(text)["sub"] == "subject-ada"


def test_a_header_that_has_to_be_understood_and_is_not_is_refused() -> None:
    header = base64.urlsafe_b64encode(b'{"alg":"ES256","kid":"one","crit":["x"],"x":1}').decode()
    _, body, signature = signed().split(".")
    with pytest.raises(ProviderFault, match="signature"):
        read(f"{header.rstrip('=')}.{body}.{signature}")


@pytest.mark.parametrize("depth", [2_000, 100_000])
def test_a_token_that_is_nested_without_end_is_refused(depth: int) -> None:
    deep = base64.urlsafe_b64encode(b"[" * depth).decode().rstrip("=")
    for text in (f"{deep}.AA.AA", jws.serialize_compact(HEADER, b"[" * depth, KEY)):
        with pytest.raises(ProviderFault, match="signature"):
            read(text)


def test_a_fault_quotes_nothing_of_the_token() -> None:
    with pytest.raises(ProviderFault) as caught:
        read(signed(nonce="private-nonce", sub="private-subject"))
    assert "private" not in str(caught.value)
    assert ACCESS not in str(caught.value)
