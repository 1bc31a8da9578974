"""KubeVirt: how long certificates last, how connections are encrypted, which system calls launchers make."""

from collections.abc import Iterator

from virtdeck.basis.errors import Invalid
from virtdeck.crds.duration import parse_duration
from virtdeck.crds.kubevirt.configuration_components import CustomProfile, VirtualMachineInstanceProfile
from virtdeck.crds.kubevirt.kubevirt import CertConfig, KubeVirtSelfSignConfiguration
from virtdeck.gateway.admission.kinds.installation import Installation
from virtdeck.gateway.admission.rule import FORBIDDEN, INVALID, NOT_SUPPORTED, REQUIRED, Place, Rules, at

RULES: Rules[Installation] = Rules("KubeVirt")

_SIGNED = "spec.certificateRotateStrategy.selfSigned"
_TLS = "spec.configuration.tlsConfiguration"
_PROFILE = "spec.configuration.seccompConfiguration.virtualMachineInstanceProfile.customProfile"
_VERSIONS = ("VersionTLS10", "VersionTLS11", "VersionTLS12", "VersionTLS13")
_HOUR = 3600.0
_CA, _SERVER = 168 * _HOUR, 24 * _HOUR  # KubeVirt's own
_RENEWED_BEFORE = 0.2  # of the whole time, where nothing is said
_OLD = {"caRotateInterval": "ca_rotate_interval", "caOverlapInterval": "ca_overlap_interval"}
_OLD |= {"certRotateInterval": "cert_rotate_interval"}

# Source: Go's crypto/tls, the suites that it has no doubts about.
_EXCHANGES = ("ECDHE_RSA", "ECDHE_ECDSA")
_WITH = ("AES_128_GCM_SHA256", "AES_256_GCM_SHA384", "CHACHA20_POLY1305_SHA256")
_CBC = ("AES_128_CBC_SHA", "AES_256_CBC_SHA")
CIPHERS = frozenset(
    (
        *(f"TLS_{exchange}_WITH_{cipher}" for exchange in _EXCHANGES for cipher in (*_WITH, *_CBC)),
        *(f"TLS_{cipher}" for cipher in _WITH),
    )
)


@RULES.rule("V421", f"{_SIGNED}.{{{'|'.join(_OLD)}}}", FORBIDDEN, "cannot be used beside ca and server")
def rotation_is_said_once(kubevirt: Installation) -> Iterator[Place]:
    """A deprecated field stands beside the ones that took its place."""
    signed = _signed(kubevirt)
    if signed.ca is not None or signed.server is not None:
        for name, attribute in _OLD.items():
            if getattr(signed, attribute) is not None:
                yield at(name)


@RULES.rule("V422", f"{_SIGNED}.ca.renewBefore", INVALID, "must not be longer than ca.duration")
def authority_is_renewed_in_time(kubevirt: Installation) -> Iterator[Place]:
    """It is."""
    duration, before = _authority(_signed(kubevirt))
    if before > duration:
        yield at()


@RULES.rule("V423", f"{_SIGNED}.server.renewBefore", INVALID, "must not be longer than server.duration")
def certificates_are_renewed_in_time(kubevirt: Installation) -> Iterator[Place]:
    """It is."""
    duration, before = _server(_signed(kubevirt))
    if before > duration:
        yield at()


@RULES.rule("V424", f"{_SIGNED}.server.duration", INVALID, "must not be longer than ca.duration")
def certificates_end_before_their_authority(kubevirt: Installation) -> Iterator[Place]:
    """It is."""
    signed = _signed(kubevirt)
    if _server(signed)[0] > _authority(signed)[0]:
        yield at()


@RULES.rule("", f"{_SIGNED}.{{field}}", INVALID, "must be a duration above 0, as 24h")
def rotation_times_are_durations(kubevirt: Installation) -> Iterator[Place]:
    """It is another text, or not above 0."""
    signed = _signed(kubevirt)
    for name, text in _durations(signed):
        seconds = _seconds(text)
        if text is not None and (seconds is None or seconds <= 0):
            yield at(name)


@RULES.rule("V425", f"{_TLS}.ciphers", FORBIDDEN, "needs minTLSVersion VersionTLS12 or older")
def ciphers_can_be_chosen(kubevirt: Installation) -> Iterator[Place]:
    """TLS 1.3 (as when nothing is said) has ciphers of its own."""
    tls = kubevirt.configuration.tls_configuration
    if tls is not None and tls.ciphers and tls.min_tls_version in (None, "", "VersionTLS13"):
        yield at()


@RULES.rule("V426", f"{_TLS}.ciphers[]", NOT_SUPPORTED, "{value!r} is no cipher suite that Go's TLS offers")
def ciphers_are_known(kubevirt: Installation) -> Iterator[Place]:
    """It is another word."""
    tls = kubevirt.configuration.tls_configuration
    for index, cipher in enumerate((tls and tls.ciphers) or ()):
        if cipher not in CIPHERS:
            yield at(index, value=cipher)


@RULES.choice("", f"{_TLS}.minTLSVersion", *_VERSIONS)
def tls_version_is_known(kubevirt: Installation) -> Iterator[Place]:
    """It is another word."""
    tls = kubevirt.configuration.tls_configuration
    if tls is not None:
        yield at(value=tls.min_tls_version)


@RULES.rule(
    "V427 V428",
    f"{_PROFILE}.{{localhostProfile|runtimeDefaultProfile}}",
    INVALID,
    "cannot be used beside the other one",
)
def one_seccomp_profile(kubevirt: Installation) -> Iterator[Place]:
    """Both are given."""
    profile = _profile(kubevirt)
    custom = profile.custom_profile if profile else None
    if custom is not None and custom.localhost_profile is not None and custom.runtime_default_profile:
        yield at("localhostProfile")
        yield at("runtimeDefaultProfile")


@RULES.rule("V429", _PROFILE, REQUIRED, "must be given")
def seccomp_profile_is_there(kubevirt: Installation) -> Iterator[Place]:
    """The profile of launchers is to be another, and is not named."""
    profile = _profile(kubevirt)
    if profile is not None and profile.custom_profile is None:
        yield at()


@RULES.rule("V430", _PROFILE, REQUIRED, "must have localhostProfile or runtimeDefaultProfile")
def seccomp_profile_is_chosen(kubevirt: Installation) -> Iterator[Place]:
    """It has none of them."""
    profile = _profile(kubevirt)
    custom = profile.custom_profile if profile else None
    if custom == CustomProfile():
        yield at()


def _signed(kubevirt: Installation) -> KubeVirtSelfSignConfiguration:
    strategy = kubevirt.obj.spec.certificate_rotate_strategy
    return (strategy and strategy.self_signed) or KubeVirtSelfSignConfiguration()


def _profile(kubevirt: Installation) -> VirtualMachineInstanceProfile | None:
    seccomp = kubevirt.configuration.seccomp_configuration
    return seccomp.virtual_machine_instance_profile if seccomp else None


def _authority(signed: KubeVirtSelfSignConfiguration) -> tuple[float, float]:
    """Whole time of the authority's certificate and time before its end, in seconds."""
    return _times(signed.ca, signed.ca_rotate_interval, signed.ca_overlap_interval, _CA)


def _server(signed: KubeVirtSelfSignConfiguration) -> tuple[float, float]:
    """The same of the components' certificates."""
    return _times(signed.server, signed.cert_rotate_interval, None, _SERVER)


def _times(
    given: CertConfig | None, old: str | None, old_before: str | None, default: float
) -> tuple[float, float]:
    given = given or CertConfig()
    duration = _first(_seconds(given.duration), _seconds(old), default)
    return duration, _first(_seconds(given.renew_before), _seconds(old_before), duration * _RENEWED_BEFORE)


def _first(*seconds: float | None) -> float:
    return next(value for value in seconds if value is not None)


def _seconds(text: str | None) -> float | None:
    """None where nothing is said, or nothing that can be read."""
    try:
        return None if text is None else parse_duration(text)
    except Invalid:
        return None


def _durations(signed: KubeVirtSelfSignConfiguration) -> Iterator[tuple[str, str | None]]:
    for name, attribute in _OLD.items():
        yield name, getattr(signed, attribute)
    for name, config in (("ca", signed.ca), ("server", signed.server)):
        if config is not None:
            yield f"{name}.duration", config.duration
            yield f"{name}.renewBefore", config.renew_before
