"""The providers file: each kind, and what it may not say."""

import json
from pathlib import Path

import pytest

from acp_elicitation.connect.provider_file import BadProviders, read_providers
from acp_elicitation.connect.providers import Callback, OAuthProvider, SecretEntry
from acp_elicitation.connect.secret import Secret

ENVIRONMENT = {"HUB_SECRET": "hush-hush", "SHOP_KEY": "k" * 32}
HUB = {
    "name": "hub",
    "kind": "oauth",
    "client_id": "me",
    "client_secret": "HUB_SECRET",
    "issuer": "https://hub.example",
    "scopes": ["read"],
    "parameters": {"prompt": "consent"},
}
WIKI = {"name": "wiki", "kind": "secret", "title": "Wiki", "label": "Key"}
SHOP = {
    "name": "shop", "kind": "callback", "page": "https://shop.example", "reporter": "shop",
    "key": "SHOP_KEY",
}  # fmt: skip


def written(tmp_path: Path, *entries: object) -> Path:
    path = tmp_path / "providers.json"
    path.write_text(json.dumps(entries))
    return path


def test_each_kind_is_read(tmp_path: Path) -> None:
    found = read_providers(written(tmp_path, HUB, WIKI, SHOP), ENVIRONMENT)
    assert found["hub"] == OAuthProvider(
        name="hub", client_id="me", client_secret=Secret("hush-hush"),
        issuer="https://hub.example", scopes=("read",), parameters={"prompt": "consent"},
    )  # fmt: skip
    assert found["wiki"] == SecretEntry(name="wiki", title="Wiki", label="Key")
    shop = found["shop"]
    assert isinstance(shop, Callback)
    assert shop.key == Secret("k" * 32)


def test_yaml_and_toml_say_the_same(tmp_path: Path) -> None:
    yaml, toml = tmp_path / "p.yaml", tmp_path / "p.toml"
    yaml.write_text("- {name: wiki, kind: secret, title: Wiki, label: Key}\n")
    toml.write_text('[[providers]]\nname = "wiki"\nkind = "secret"\ntitle = "Wiki"\nlabel = "Key"')
    assert read_providers(yaml, {}) == read_providers(toml, {})


@pytest.mark.parametrize(
    ("entry", "said"),
    [
        (
            {**WIKI, "kind": "magic"},
            "provider 1 ('wiki'): kind has to be one of oauth, secret, callback",
        ),
        ({"name": "wiki"}, "provider 1 ('wiki'): kind has to be one of oauth, secret, callback"),
        ({**WIKI, "secret": "x"}, "unknown field `secret`"),
        ({"kind": "secret"}, "missing required field `name`"),
        ({**WIKI, "name": "No Name"}, "provider name 'No Name'"),
        ({**HUB, "issuer": None}, "give its issuer"),
        ({**HUB, "issuer": "not a url"}, "its issuer is no plain absolute URL: not a url"),
        ({**SHOP, "algorithm": "none"}, "Invalid enum value 'none'"),
    ],
)
def test_what_is_wrong_is_said_with_its_place(
    tmp_path: Path, entry: dict[str, object], said: str
) -> None:
    with pytest.raises(BadProviders, match="provider 1") as refused:
        read_providers(written(tmp_path, entry), ENVIRONMENT)
    assert said in str(refused.value)


def test_a_secret_in_the_file_is_refused_and_not_quoted(tmp_path: Path) -> None:
    with pytest.raises(BadProviders, match="environment variable") as refused:
        read_providers(written(tmp_path, {**HUB, "client_secret": "s3cr3t-itself"}), ENVIRONMENT)
    assert "s3cr3t" not in str(refused.value)


def test_a_file_without_any_is_refused(tmp_path: Path) -> None:
    (tmp_path / "p.yaml").write_text("[]\n")
    with pytest.raises(BadProviders, match="one at least"):
        read_providers(tmp_path / "p.yaml", {})


def test_two_of_one_name_are_refused(tmp_path: Path) -> None:
    with pytest.raises(BadProviders, match="two providers have the name 'wiki'"):
        read_providers(written(tmp_path, WIKI, WIKI), {})


@pytest.mark.parametrize("text", ["7", '{"a": 1}', "nonsense"])
def test_a_file_that_is_no_list_is_refused(tmp_path: Path, text: str) -> None:
    path = tmp_path / "providers.json"
    path.write_text(text)
    with pytest.raises(BadProviders, match=r"providers\.json"):
        read_providers(path, {})
