"""Which URLs a provider may name, and which addresses are public."""

import pytest

from acp_elicitation.connect.oauth.addresses import endpoint_fault, host_of, is_public


@pytest.mark.parametrize(
    "url",
    [
        "https://provider.example/token",
        "https://provider.example:8443/a/b?tenant=1&x=%20",
        "https://xn--bcher-kva.example",
        "https://[2001:db8::1]/token",
    ],
)
def test_an_https_url_may_be_asked(url: str) -> None:
    assert endpoint_fault(url, local=False) == ""


@pytest.mark.parametrize(
    "url",
    [
        None,
        7,
        "",
        "/token",
        "//provider.example/token",
        "file:///etc/passwd",
        "ftp://provider.example/",
        "HTTPS://provider.example/",
        "https:provider.example",
        "https:///token",
        "https://user:password@provider.example/",
        "https://provider.example\\@evil.example/",
        "https://provider.example/#part",
        "https://provider.example/a b",
        "https://provider.example/\r\nHost: evil.example",
        "https://prov\tider.example/",
        "https://bücher.example/",
        "https://provider.example:port/",
        "https://provider.example:99999/",
        "https://[::1/",
        "https://:443/",
        "https://provider.example/" + "a" * 2_000,
    ],
)
def test_a_url_that_parsers_could_read_in_different_ways_is_not_asked(url: object) -> None:
    assert endpoint_fault(url, local=True) != ""


@pytest.mark.parametrize("host", ["provider.example", "127.0.0.1", "10.0.0.1", "localhost"])
def test_plain_http_is_not_asked(host: str) -> None:
    assert endpoint_fault(f"http://{host}/token", local=False) == "is not https"


def test_a_provider_on_this_machine_may_name_others_on_it_by_plain_http() -> None:
    assert endpoint_fault("http://127.0.0.1:8080/token", local=True) == ""
    assert endpoint_fault("http://10.0.0.1/token", local=True) == "is not https"


@pytest.mark.parametrize(
    ("url", "host"),
    [
        ("https://Provider.example:1/", "provider.example"),
        ("https://[::1]/", "::1"),
        ("https://[::1", ""),
        ("", ""),
        (None, ""),
    ],
)
def test_the_host_of_a_url_is_read_or_there_is_none(url: str | None, host: str) -> None:
    assert host_of(url) == host


@pytest.mark.parametrize(
    "address",
    ["93.184.215.14", "2606:2800:21f:cb07:6820:80da:af6b:8b2c", "64:ff9b::5db8:d70e",
     "2002:5db8:d70e::"],
)  # fmt: skip
def test_an_address_of_the_public_network_is_public(address: str) -> None:
    assert is_public(address)


@pytest.mark.parametrize(
    "address",
    [
        "127.0.0.1",
        "10.1.2.3",
        "172.16.0.1",
        "192.168.0.1",
        "169.254.169.254",
        "100.64.0.1",
        "0.0.0.0",
        "224.0.0.1",
        "255.255.255.255",
        "::",
        "::1",
        "fe80::1%eth0",
        "fc00::1",
        "ff02::1",
        "::ffff:10.0.0.1",
        "::ffff:127.0.0.1",
        "64:ff9b::a00:1",
        "2002:a00:1::",
        "2001:0:a00:1::",
        "::127.0.0.1",
        "::ffff:0:127.0.0.1",
        "64:ff9b:1::a00:1",
        "fec0::1",
        "5f00::1",
        "provider.example",
        "",
    ],
)
def test_an_address_of_a_network_of_one_s_own_is_not_public(address: str) -> None:
    assert not is_public(address)
