"""The keys of the vault: written, read, and kept from others."""

import base64
import multiprocessing
import os
import stat
import sys
from pathlib import Path

import pytest

from acp_elicitation.connect.errors import VaultError
from acp_elicitation.connect.keys import (
    VARIABLE,
    default_key_file,
    find_keys,
    keys_from_environment,
    keys_from_file,
    keys_from_keyring,
    read_keys,
)
from acp_elicitation.connect.sealing import KEY_BYTES
from tests.tracebacks import with_variables

KEY, OLD = bytes(range(KEY_BYTES)), b"\xff" * KEY_BYTES


def written(key: bytes) -> str:
    return base64.b64encode(key).decode()


def test_keys_are_read_in_their_order_in_either_alphabet_with_or_without_padding() -> None:
    text = f" {written(KEY)},\n{base64.urlsafe_b64encode(OLD).decode().rstrip('=')}\n"
    assert read_keys(text, source="it") == [KEY, OLD]


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "no key in it"),
        ("hunter2", "key 1 is not"),
        (written(KEY) + " " + written(b"short"), "key 2 is not"),
        ("ü" * 43, "key 1 is not"),
    ],
)
def test_a_text_that_is_no_key_is_refused_by_its_place_and_not_quoted(
    text: str, reason: str
) -> None:
    with pytest.raises(VaultError, match=reason) as caught:
        read_keys(text, source="the file")
    assert str(caught.value).startswith("the file: ")
    assert "hunter2" not in str(caught.value)


@pytest.mark.requirement("URL-2")
def test_no_key_is_in_a_traceback_with_its_variables(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "key").write_text(f"{written(KEY)} hunter2")
    os.chmod(tmp_path / "key", 0o600)
    monkeypatch.setenv(VARIABLE, f"{written(KEY)} hunter2")
    with pytest.raises(VaultError, match="key 2") as from_file:
        keys_from_file(tmp_path / "key")
    with pytest.raises(VaultError, match="key 2") as from_environment:
        keys_from_environment(os.environ)
    with pytest.raises(VaultError, match="key 2") as found:
        find_keys(os.environ)
    for caught in (from_file, from_environment, found):
        shown = with_variables(caught.value)
        assert "hunter2" not in shown
        assert str(KEY) not in shown


def test_the_environment_gives_keys_or_none() -> None:
    assert keys_from_environment({}) is None
    assert keys_from_environment({VARIABLE: written(KEY)}) == [KEY]
    with pytest.raises(VaultError, match=VARIABLE):
        keys_from_environment({VARIABLE: ""})


def test_a_file_that_is_missing_is_made_with_a_key_for_its_owner_alone(tmp_path: Path) -> None:
    path = tmp_path / "state" / "vault.key"
    keys = keys_from_file(path)
    assert keys_from_file(path) == keys
    assert len(keys[0]) == KEY_BYTES
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700
    assert os.listdir(path.parent) == ["vault.key"]


def test_a_rotated_file_gives_the_new_key_first(tmp_path: Path) -> None:
    path = tmp_path / "vault.key"
    path.write_text(f"{written(KEY)}\n{written(OLD)}\n")
    path.chmod(0o600)
    assert keys_from_file(path) == [KEY, OLD]


@pytest.mark.parametrize("mode", [0o640, 0o604, 0o620])
def test_a_file_that_others_may_use_is_refused(tmp_path: Path, mode: int) -> None:
    path = tmp_path / "vault.key"
    path.write_text(written(KEY))
    path.chmod(mode)
    with pytest.raises(VaultError, match="chmod 600"):
        keys_from_file(path)


@pytest.mark.skipif(os.getuid() != 0, reason="only root can give a file away")
def test_a_file_of_another_user_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "vault.key"
    path.write_text(written(KEY))
    path.chmod(0o600)
    os.chown(path, 12345, 12345)
    with pytest.raises(VaultError, match="another user"):
        keys_from_file(path)


def test_a_link_in_place_of_the_file_is_not_followed(tmp_path: Path) -> None:
    other = tmp_path / "other"
    other.write_text(written(KEY))
    other.chmod(0o600)
    (tmp_path / "vault.key").symlink_to(other)
    with pytest.raises(OSError):
        keys_from_file(tmp_path / "vault.key")


def test_processes_that_start_together_agree_on_the_key(tmp_path: Path) -> None:
    path = tmp_path / "vault.key"
    with multiprocessing.get_context("fork").Pool(4) as pool:
        found = pool.map(keys_from_file, [path] * 40)
    assert len({tuple(keys) for keys in found}) == 1


def test_a_system_without_a_keyring_says_what_to_use(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHON_KEYRING_BACKEND", "keyring.backends.fail.Keyring")
    with pytest.raises(VaultError, match=VARIABLE):
        keys_from_keyring()


def test_a_keyring_that_is_not_installed_is_said_to_be_missing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "keyring", None)
    with pytest.raises(VaultError, match="pip install keyring"):
        keys_from_keyring()


def test_a_keyring_keeps_the_key_that_was_made_once() -> None:
    import keyring
    from keyring.backend import KeyringBackend

    class InMemory(KeyringBackend):
        priority = 1.0

        def get_password(self, service: str, username: str) -> str | None:
            return kept.get((service, username))

        def set_password(self, service: str, username: str, password: str) -> None:
            kept[service, username] = password

    kept: dict[tuple[str, str], str] = {}

    before = keyring.get_keyring()
    keyring.set_keyring(InMemory())  # type: ignore[no-untyped-call]
    try:
        keys = keys_from_keyring()
        assert keys_from_keyring() == keys
        assert len(keys[0]) == KEY_BYTES
    finally:
        keyring.set_keyring(before)


def test_the_environment_comes_before_a_file(tmp_path: Path) -> None:
    file = tmp_path / "key"
    made = find_keys({}, file=file)
    assert find_keys({}, file=file) == made
    given = base64.b64encode(b"g" * 32).decode()
    assert find_keys({VARIABLE: given}, file=file) == [b"g" * 32]


def test_keys_are_in_the_state_of_the_user_by_default(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    [key] = find_keys({})
    assert default_key_file() == tmp_path / "acp-elicitation" / "vault.key"
    assert base64.b64decode(default_key_file().read_text()) == key
