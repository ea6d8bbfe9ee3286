"""What is sealed opens only with its key and in its place."""

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from acp_elicitation.connect.errors import VaultError
from acp_elicitation.connect.sealing import KEY_BYTES, Sealer, new_key

KEY, OLD = b"k" * KEY_BYTES, b"o" * KEY_BYTES
PLACE = ("user", "github")


@given(st.binary(), st.lists(st.text()))
def test_what_is_sealed_can_be_opened(plain: bytes, context: list[str]) -> None:
    sealer = Sealer([KEY])
    assert sealer.open(sealer.seal(plain, *context), *context) == plain


@pytest.mark.parametrize(
    "place", [(), ("user",), ("github", "user"), ("userg", "ithub"), ("user", "github", "")]
)
def test_a_value_that_was_moved_elsewhere_does_not_open(place: tuple[str, ...]) -> None:
    sealer = Sealer([KEY])
    with pytest.raises(VaultError, match="belongs elsewhere"):
        sealer.open(sealer.seal(b"token", *PLACE), *place)


def test_no_byte_of_it_can_be_changed() -> None:
    sealer = Sealer([KEY])
    sealed = sealer.seal(b"token", *PLACE)
    for place in range(len(sealed)):
        changed = bytearray(sealed)
        changed[place] ^= 1
        with pytest.raises(VaultError):
            sealer.open(bytes(changed), *PLACE)


@pytest.mark.parametrize("broken", [b"", b"\x01", b"\x02" + b"x" * 60, b"x" * 60])
def test_what_was_never_sealed_is_refused(broken: bytes) -> None:
    with pytest.raises(VaultError, match="damaged"):
        Sealer([KEY]).open(broken)


def test_the_same_value_is_never_sealed_the_same_way() -> None:
    sealer = Sealer([KEY])
    assert sealer.seal(b"token") != sealer.seal(b"token")


def test_the_plain_text_is_not_in_it() -> None:
    assert b"token" not in Sealer([KEY]).seal(b"token" * 20)


def test_an_old_key_opens_and_the_first_one_seals() -> None:
    before, after = Sealer([OLD]), Sealer([KEY, OLD])
    old = before.seal(b"token")
    assert after.open(old) == b"token"
    assert not after.is_current(old)
    assert after.is_current(after.seal(b"token"))
    assert Sealer([KEY]).open(after.seal(b"token")) == b"token"


def test_a_key_that_is_gone_is_said_to_be_gone() -> None:
    with pytest.raises(VaultError, match="not given any more"):
        Sealer([KEY]).open(Sealer([OLD]).seal(b"token"))


@pytest.mark.parametrize(
    ("keys", "reason"), [([], "no key"), ([KEY, b"short"], "key 2 has 5 bytes")]
)
def test_keys_that_are_none_are_refused(keys: list[bytes], reason: str) -> None:
    with pytest.raises(VaultError, match=reason):
        Sealer(keys)


def test_randomness_is_an_argument() -> None:
    counter = itertools.count()

    def numbered(count: int) -> bytes:
        return bytes([next(counter)]) * count

    assert new_key(random=numbered) == b"\0" * KEY_BYTES
    assert Sealer([KEY], random=numbered).seal(b"")[9:21] == b"\1" * 12
    assert len({new_key() for _ in range(10)}) == 10
