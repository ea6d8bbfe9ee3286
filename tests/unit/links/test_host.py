"""What kind of host it is, and who owns it."""

import subprocess
import sys

import pytest

from acp_elicitation.links.host import is_public_suffix, read_host


@pytest.mark.requirement("URL-12")
@pytest.mark.parametrize(
    ("host", "domain", "readable"),
    [
        ("agent.example.com", "example.com", "example.com"),
        ("example.co.uk", "example.co.uk", "example.co.uk"),
        ("a.b.example.com.", "example.com", "example.com"),
        ("alice.github.io", "alice.github.io", "alice.github.io"),
        ("www.city.kawasaki.jp", "city.kawasaki.jp", "city.kawasaki.jp"),
        (
            "xn--e1afmkfd.xn--p1ai",
            "xn--e1afmkfd.xn--p1ai",
            "\u043f\u0440\u0438\u043c\u0435\u0440.\u0440\u0444",
        ),
        ("a.xn--mnchen-3ya.de", "xn--mnchen-3ya.de", "m\xfcnchen.de"),
        ("evil.example", "evil.example", "evil.example"),
        ("printer.local", "printer.local", "printer.local"),
        ("localhost", None, None),
        ("github.io", None, None),
        ("com", None, None),
        ("a..b", None, None),
        ("192.0.2.7", None, None),
        ("[2001:db8::1]", None, None),
    ],
)
def test_the_registrable_domain_is_what_somebody_owns(
    host: str, domain: str | None, readable: str | None
) -> None:
    found = read_host(host)
    assert (found.domain, found.domain_unicode) == (domain, readable)


@pytest.mark.parametrize(
    ("host", "readable"),
    [
        ("example.com", "example.com"),
        ("example.com.", "example.com."),
        ("a.xn--mnchen-3ya.de", "a.m\xfcnchen.de"),
        ("xn--a.xn--mnchen-3ya.de", "xn--a.m\xfcnchen.de"),
        ("[::1]", "[::1]"),
        ("127.0.0.1", "127.0.0.1"),
    ],
)
def test_a_host_reads_in_unicode_as_far_as_it_can(host: str, readable: str) -> None:
    assert read_host(host).unicode == readable


@pytest.mark.parametrize(
    "host",
    [
        "localhost",
        "localhost.",
        "app.localhost",
        "127.0.0.1",
        "127.9.9.9",
        "[::1]",
        "[::ffff:7f00:1]",
        "[64:ff9b::7f00:1]",
    ],
)
def test_this_machine_is_loopback_by_every_name(host: str) -> None:
    found = read_host(host)
    assert found.is_loopback
    assert not found.is_local


@pytest.mark.parametrize(
    "host", ["localhost.example.com", "192.0.2.7", "[2001:db8::1]", "128.0.0.1"]
)
def test_others_are_neither_loopback_nor_local(host: str) -> None:
    found = read_host(host)
    assert not found.is_loopback
    assert not found.is_local


@pytest.mark.parametrize(
    "host",
    [
        "10.0.0.5",
        "172.16.0.1",
        "172.31.255.255",
        "192.168.1.1",
        "169.254.169.254",
        "100.64.0.1",
        "0.0.0.0",
        "[::]",
        "[fe80::1]",
        "[fd00::1]",
        "[::ffff:a00:5]",
        "[64:ff9b::a00:5]",
        "printer.local",
        "nas.lan",
        "wiki.corp",
        "metadata.google.internal",
        "nas.home.arpa",
        "intranet",
        "wiki",
    ],
)
def test_the_local_network_is_told(host: str) -> None:
    assert read_host(host).is_local


@pytest.mark.parametrize(
    "host", ["172.32.0.1", "100.128.0.1", "11.0.0.1", "arpa.example", "lan.example.com"]
)
def test_its_neighbours_are_not_local(host: str) -> None:
    assert not read_host(host).is_local


@pytest.mark.parametrize(
    "host", ["example.com", "example.com.", "my_host.example", "[::1]", "10.0.0.5"]
)
def test_ordinary_hosts_are_possible(host: str) -> None:
    assert read_host(host).is_possible


@pytest.mark.parametrize(
    "host", ["a..b", ".a", "example.com..", "a!b.com", "xn--a.com", ".".join(["a" * 60] * 5)]
)
def test_hosts_that_cannot_exist_are_told(host: str) -> None:
    assert not read_host(host).is_possible


def test_the_longest_name_has_253_characters() -> None:
    longest = ".".join("a" * length for length in (63, 63, 63, 61))
    assert len(longest) == 253
    assert read_host(f"{longest}.").is_possible
    assert not read_host(f"{longest}a").is_possible


@pytest.mark.parametrize("name", ["com", "co.uk", "github.io", "\u0440\u0444"])
def test_suffixes_are_known_in_unicode(name: str) -> None:
    assert is_public_suffix(name)


@pytest.mark.parametrize("name", ["example", "local", "example.com", "", "a..b"])
def test_what_is_not_on_the_list_is_no_suffix(name: str) -> None:
    assert not is_public_suffix(name)


@pytest.mark.requirement("URL-10")
def test_no_socket_is_opened_and_nothing_is_written_for_the_list() -> None:
    program = """
import sys
from acp_elicitation.links import inspect_link
inspect_link("https://example.com/").verdict

def watch(event, arguments):
    if event.startswith("socket.") or (event == "open" and arguments[1] not in ("r", "rb", None)):
        sys.exit(f"{event} {arguments}")

sys.addaudithook(watch)
from acp_elicitation.links import host
host._suffix_list.cache_clear()
sys.exit(0 if inspect_link("https://m\\xfcnchen.co.uk/").host_unicode == "m\\xfcnchen.co.uk" else 1)
"""
    command = [sys.executable, "-c", program]
    subprocess.run(command, check=True, timeout=30, stdin=subprocess.DEVNULL)
