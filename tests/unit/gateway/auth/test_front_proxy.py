"""Whose word counts for who asks."""

import pytest

from virtdeck.basis.errors import Refused, Unready
from virtdeck.gateway.auth.front_proxy import FrontProxies, FrontProxy, identify, read_front_proxy
from virtdeck.gateway.auth.user import make_user
from virtdeck.serving.asgi import Headers
from virtdeck.serving.tls import Name, PeerCertificate

PROXY_CA: Name = ((("commonName", "front-proxy-ca"),),)
OTHER_CA: Name = ((("commonName", "ca"),),)


def proxy(allowed: tuple[str, ...] = ("front-proxy-client",)) -> FrontProxy:
    return FrontProxy(
        "pem",
        frozenset({PROXY_CA}),
        allowed,
        (b"x-remote-user",),
        (b"x-remote-group",),
        (b"x-remote-extra-",),
    )


def peer(cn: str = "front-proxy-client", issuer: Name = PROXY_CA) -> PeerCertificate:
    return PeerCertificate(cn=cn, organizations=(), units=(), issuer="x", issuer_name=issuer, der=b"")


ANN: Headers = [(b"x-remote-user", b"ann")]


def test_the_api_servers_word_counts() -> None:
    headers = [
        *ANN,
        (b"x-remote-group", b"developers"),
        (b"x-remote-group", b"system:authenticated"),
        (b"x-remote-extra-scopes.example%2fof", b"a"),
        (b"x-remote-extra-scopes.example%2fof", b"b"),
        (b"x_remote_user", b"root"),
    ]
    assert identify(proxy(), peer(), headers) == make_user(
        "ann", ("developers", "system:authenticated"), "", {"scopes.example/of": ("a", "b")}
    )


@pytest.mark.parametrize(
    "who", [None, peer("kube-apiserver"), peer(issuer=OTHER_CA), peer("system:masters", OTHER_CA)]
)
def test_nobody_elses_word_counts(who: PeerCertificate | None) -> None:
    headers = [*ANN, (b"x-remote-group", b"system:masters")]
    with pytest.raises(Refused) as caught:
        identify(proxy(), who, headers)
    assert not caught.value.authenticated


@pytest.mark.parametrize(
    "headers",
    [
        [],
        [(b"x-remote-user", b"")],
        [(b"x-remote-user", b"  ")],
        [(b"x-remote-user", b"ann"), (b"x-remote-user", b"root")],
        [(b"x-remote-user", b"\xff")],
    ],
)
def test_a_request_that_names_nobody_or_two_is_refused(headers: Headers) -> None:
    with pytest.raises(Refused):
        identify(proxy(), peer(), headers)


def test_without_a_list_of_names_any_certificate_of_that_authority_counts() -> None:
    assert identify(proxy(()), peer("anything"), ANN).name == "ann"


def test_nothing_is_believed_before_it_is_published() -> None:
    with pytest.raises(Unready):
        read_front_proxy(None)
    with pytest.raises(Unready):
        FrontProxies().require()
