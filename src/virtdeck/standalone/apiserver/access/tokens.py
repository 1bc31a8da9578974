"""ServiceAccount tokens: signed JWTs that hold as long as the account, and what they are bound to, exists."""

import base64
import binascii
import os
import time
import uuid
from pathlib import Path
from typing import TYPE_CHECKING, Any

import orjson

from virtdeck.standalone.apiserver.access.identity import AUTHENTICATED, User, account_groups, account_name
from virtdeck.standalone.apiserver.storage.rows import Row
from virtdeck.standalone.apiserver.storage.store import Store

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ec import EllipticCurvePrivateKey

Obj = dict[str, Any]

ISSUER = "https://kubernetes.default.svc.cluster.local"
AUDIENCES = (ISSUER,)
# What clients in a cluster may have been told to ask for; tokens for it are for this server as well.
_KNOWN_AS = (*AUDIENCES, "https://kubernetes.default.svc")
_SHORTEST_SECONDS = 600
_LONGEST_SECONDS = 365 * 24 * 3600
_BYTES = 32  # of each half of an ES256 signature
_BOUND = {"Pod": "/pods", "Secret": "/secrets", "Node": "/nodes"}


class Tokens:
    """Signs and checks tokens. The key is read at the first use, since cryptography costs memory."""

    def __init__(self, key_path: str, store: Store) -> None:
        self._path = Path(key_path)
        self._store = store
        self._key: EllipticCurvePrivateKey | None = None
        self._known: dict[str, Obj] = {}  # verified tokens and their claims

    def issue(
        self, account: Row, audiences: tuple[str, ...], seconds: int, bound: Obj | None
    ) -> tuple[str, float]:
        """A token for the account and when it expires (seconds since 1970)."""
        now = int(time.time())
        expires = now + max(_SHORTEST_SECONDS, min(seconds, _LONGEST_SECONDS))
        held: Obj = {
            "namespace": account.namespace,
            "serviceaccount": {"name": account.name, "uid": account.uid},
        }
        if bound:
            held[bound["kind"].lower()] = {"name": bound["name"], "uid": bound["uid"]}
        claims = {
            "aud": list(audiences or AUDIENCES),
            "exp": expires,
            "iat": now,
            "nbf": now,
            "iss": ISSUER,
            "jti": str(uuid.uuid4()),
            "sub": account_name(account.namespace, account.name),
            "kubernetes.io": held,
        }
        return self._sign(claims), expires

    def issue_lasting(self, account: Row, secret: str) -> str:
        """A token without end, for a Secret of type kubernetes.io/service-account-token."""
        claims = {
            "iss": "kubernetes/serviceaccount",
            "sub": account_name(account.namespace, account.name),
            "kubernetes.io/serviceaccount/namespace": account.namespace,
            "kubernetes.io/serviceaccount/secret.name": secret,
            "kubernetes.io/serviceaccount/service-account.name": account.name,
            "kubernetes.io/serviceaccount/service-account.uid": account.uid,
        }
        return self._sign(claims)

    def user_of(self, token: str, audiences: tuple[str, ...] = _KNOWN_AS) -> User | None:
        """Whose token it is; None if it is not ours, has ended, or its account is gone."""
        claims = self._claims(token)
        if claims is None:
            return None
        now = time.time()
        if claims.get("exp", now + 1) <= now or claims.get("nbf", 0) > now + 10:
            self._known.pop(token, None)
            return None
        if "kubernetes.io" in claims:
            return self._bound_user(claims, audiences)
        return self._lasting_user(claims)

    def _bound_user(self, claims: Obj, audiences: tuple[str, ...]) -> User | None:
        if not set(claims.get("aud") or ()) & set(audiences):
            return None
        held = claims["kubernetes.io"]
        namespace, account = held["namespace"], held["serviceaccount"]
        if not self._exists("/serviceaccounts", namespace, account["name"], account["uid"]):
            return None
        extra = [("authentication.kubernetes.io/credential-id", (f"JTI={claims['jti']}",))]
        for kind, shelf in _BOUND.items():
            if ref := held.get(kind.lower()):
                place = "" if kind == "Node" else namespace
                if not self._exists(shelf, place, ref["name"], ref["uid"]):
                    return None
                if kind == "Pod":
                    extra.append(("authentication.kubernetes.io/pod-name", (ref["name"],)))
                    extra.append(("authentication.kubernetes.io/pod-uid", (ref["uid"],)))
        return _user(namespace, account["name"], account["uid"], tuple(sorted(extra)))

    def _lasting_user(self, claims: Obj) -> User | None:
        prefix = "kubernetes.io/serviceaccount/"
        namespace, name = (
            claims.get(f"{prefix}namespace", ""),
            claims.get(f"{prefix}service-account.name", ""),
        )
        uid = claims.get(f"{prefix}service-account.uid", "")
        secret = claims.get(f"{prefix}secret.name", "")
        if not self._exists("/serviceaccounts", namespace, name, uid):
            return None
        if self._store.shelf("/secrets").get((namespace, secret)) is None:
            return None
        return _user(namespace, name, uid, ())

    def _exists(self, shelf: str, namespace: str, name: str, uid: str) -> bool:
        row = self._store.shelf(shelf).get((namespace, name))
        return row is not None and row.uid == uid

    def _sign(self, claims: Obj) -> str:
        # Imported here: 8 MB that a server without tokens in use does not need.
        from cryptography.hazmat.primitives.asymmetric import ec, utils
        from cryptography.hazmat.primitives.hashes import SHA256

        head = _encode(orjson.dumps({"alg": "ES256", "typ": "JWT", "kid": "virtdeck"}))
        signed = f"{head}.{_encode(orjson.dumps(claims))}"
        left, right = utils.decode_dss_signature(
            self._private_key().sign(signed.encode(), ec.ECDSA(SHA256()))
        )
        return f"{signed}.{_encode(left.to_bytes(_BYTES, 'big') + right.to_bytes(_BYTES, 'big'))}"

    def _claims(self, token: str) -> Obj | None:
        if token in self._known:
            return self._known[token]
        claims = self._verify(token)
        if claims is not None:
            if len(self._known) >= 1024:
                self._known.clear()
            self._known[token] = claims
        return claims

    def _verify(self, token: str) -> Obj | None:
        from cryptography.exceptions import InvalidSignature
        from cryptography.hazmat.primitives.asymmetric import ec, utils
        from cryptography.hazmat.primitives.hashes import SHA256

        try:
            head, payload, signature = token.split(".")
            raw = _decode(signature)
            if orjson.loads(_decode(head)).get("alg") != "ES256" or len(raw) != 2 * _BYTES:
                return None
            halves = int.from_bytes(raw[:_BYTES], "big"), int.from_bytes(raw[_BYTES:], "big")
            public = self._private_key().public_key()
            public.verify(
                utils.encode_dss_signature(*halves), f"{head}.{payload}".encode(), ec.ECDSA(SHA256())
            )
            claims: Obj = orjson.loads(_decode(payload))
        except (ValueError, binascii.Error, InvalidSignature, AttributeError):
            return None
        return claims

    def _private_key(self) -> "EllipticCurvePrivateKey":
        if self._key is None:
            from cryptography.hazmat.primitives.asymmetric.ec import EllipticCurvePrivateKey
            from cryptography.hazmat.primitives.serialization import load_pem_private_key

            if not self._path.exists():
                _make_key(self._path)
            key = load_pem_private_key(self._path.read_bytes(), None)
            if not isinstance(key, EllipticCurvePrivateKey):
                raise TypeError(f"{self._path} holds no EC key")
            self._key = key
        return self._key


def _user(namespace: str, name: str, uid: str, extra: tuple[tuple[str, tuple[str, ...]], ...]) -> User:
    groups = (*account_groups(namespace), AUTHENTICATED)
    return User(account_name(namespace, name), groups, uid, extra)


def _encode(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def _decode(text: str) -> bytes:
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


def _make_key(path: Path) -> None:
    from cryptography.hazmat.primitives import serialization
    from cryptography.hazmat.primitives.asymmetric import ec

    pem = ec.generate_private_key(ec.SECP256R1()).private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    fresh = path.with_name(f"{path.name}.new")
    descriptor = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(descriptor, "wb") as file:
        file.write(pem)
        file.flush()
        os.fsync(file.fileno())
    fresh.replace(path)
