"""Kubernetes' own functions, by what its documents say of them."""

from typing import Any

import pytest
from tests.unit.cel.expressions import value_of

from virtdeck.cel.syntax import ExpressionError
from virtdeck.cel.values import EvaluationError

LISTS = [
    ("[1, 2, 2, 3].isSorted()", True),
    ("['a', 'c', 'b'].isSorted()", False),
    ("[2.0, 1.0].isSorted()", False),
    ("[duration('1s'), duration('1m')].isSorted()", True),
    ("[].isSorted()", True),
    ("[1, 3].sum()", 4),
    ("[1.0, 3.5].sum()", 4.5),
    ("[].sum() == 0", True),
    ("[duration('1m'), duration('1s')].sum() == duration('61s')", True),
    ("[1, 3].min()", 1),
    ("['b', 'a'].max()", "b"),
    ("[timestamp('2024-01-01T00:00:00Z'), timestamp('2023-01-01T00:00:00Z')].min().getFullYear()", 2023),
    ("[1, 2, 2, 3].indexOf(2)", 1),
    ("['a', 'b', 'b', 'c'].lastIndexOf('b')", 2),
    ("[1.0].indexOf(1.1)", -1),
    ("[1, 2].indexOf(5)", -1),
]
SETS = [
    ("sets.contains([], [])", True),
    ("sets.contains([1, 2], [2])", True),
    ("sets.contains([1], [1, 2])", False),
    ("sets.contains([1, 2, 3, 4], [2, 3])", True),
    ("sets.equivalent([1, 2, 2], [2, 1])", True),
    ("sets.equivalent([1], [1, 2])", False),
    ("sets.equivalent([], [])", True),
    ("sets.intersects([1], [2])", False),
    ("sets.intersects([1], [])", False),
    ("sets.intersects([1, 2], [2, 3])", True),
]
REGEXES = [
    ("'abc 123'.find('[0-9]+')", "123"),
    ("'abc'.find('[0-9]+')", ""),
    ("'123 abc 456'.findAll('[0-9]+')", ["123", "456"]),
    ("'123 abc 456'.findAll('[0-9]+', 1)", ["123"]),
    ("'123 abc 456'.findAll('[0-9]+', 0)", []),
    ("'abc'.findAll('[0-9]+')", []),
    ("'abc'.matches('(?i)ABC')", True),
    (r"'a\nb'.matches('^b')", False),
    (r"'héllo'.find('\\pL+')", "héllo"),
]
URLS = [
    ("isURL('https://user:pass@example.com:80/path?query=val#fragment')", True),
    ("isURL('/absolute-path')", True),
    ("isURL('https://a:b:c/')", False),
    ("isURL('../relative-path')", False),
    ("url('https://example.com/').getScheme()", "https"),
    ("url('/path').getScheme()", ""),
    ("url('https://example.com:80/').getHost()", "example.com:80"),
    ("url('https://[::1]:80/').getHost()", "[::1]:80"),
    ("url('https://example.com:80/').getHostname()", "example.com"),
    ("url('https://127.0.0.1:80/').getHostname()", "127.0.0.1"),
    ("url('https://[::1]:80/').getHostname()", "::1"),
    ("url('/path').getHostname()", ""),
    ("url('https://example.com:80/').getPort()", "80"),
    ("url('https://example.com/').getPort()", ""),
    ("url('https://example.com/path').getEscapedPath()", "/path"),
    ("url('https://example.com/path with spaces/').getEscapedPath()", "/path%20with%20spaces/"),
    ("url('https://example.com').getEscapedPath()", ""),
    ("url('https://example.com/path?k1=a&k2=b&k2=c').getQuery()", {"k1": ["a"], "k2": ["b", "c"]}),
    ("url('https://example.com/path?key with spaces=value with spaces').getQuery()",
     {"key with spaces": ["value with spaces"]}),
    ("url('https://example.com/path').getQuery()", {}),
    ("url('https://a/b') == url('https://a/b')", True),
]  # fmt: skip
ADDRESSES = [
    ("isIP('127.0.0.1')", True),
    ("isIP('::1')", True),
    ("isIP('127.0.0.256')", False),
    ("isIP(':::1')", False),
    ("isIP('fe80::1%eth0')", False),
    ("isIP('::ffff:1.2.3.4')", False),
    ("isIP('010.0.0.1')", False),
    ("ip.isCanonical('127.0.0.1')", True),
    ("ip.isCanonical('2001:db8::abcd')", True),
    ("ip.isCanonical('2001:DB8::ABCD')", False),
    ("ip.isCanonical('2001:db8::0:0:0:abcd')", False),
    ("ip('127.0.0.1').family()", 4),
    ("ip('::1').family()", 6),
    ("ip('0.0.0.0').isUnspecified()", True),
    ("ip('127.0.0.1').isLoopback()", True),
    ("ip('::1').isLoopback()", True),
    ("ip('224.0.0.1').isLinkLocalMulticast()", True),
    ("ip('224.0.1.1').isLinkLocalMulticast()", False),
    ("ip('ff02::1').isLinkLocalMulticast()", True),
    ("ip('fd00::1').isLinkLocalMulticast()", False),
    ("ip('169.254.169.254').isLinkLocalUnicast()", True),
    ("ip('fe80::1').isLinkLocalUnicast()", True),
    ("ip('192.168.0.1').isGlobalUnicast()", True),
    ("ip('255.255.255.255').isGlobalUnicast()", False),
    ("ip('2001:db8::abcd').isGlobalUnicast()", True),
    ("ip('ff00::1').isGlobalUnicast()", False),
    ("ip('127.0.0.1') == ip('127.0.0.1')", True),
    ("ip('::1') == ip('0:0:0:0:0:0:0:1')", True),
    ("string(ip('2001:DB8::1'))", "2001:db8::1"),
    ("isCIDR('192.168.0.0/24')", True),
    ("isCIDR('::1/128')", True),
    ("isCIDR('192.168.0.0')", False),
    ("isCIDR('192.168.0.0/33')", False),
    ("isCIDR('192.168.0.0/255.255.0.0')", False),
    ("isCIDR('hello')", False),
    ("cidr('192.168.0.0/24').containsIP(ip('192.168.0.1'))", True),
    ("cidr('192.168.0.0/24').containsIP('192.168.1.1')", False),
    ("cidr('2001:db8::/32').containsIP('2001:db8::1')", True),
    ("cidr('192.168.0.0/24').containsIP('::1')", False),
    ("cidr('192.168.0.0/16').containsCIDR(cidr('192.168.10.0/24'))", True),
    ("cidr('192.168.1.0/24').containsCIDR('192.168.2.0/24')", False),
    ("cidr('192.168.0.1/24').ip() == ip('192.168.0.1')", True),
    ("cidr('192.168.0.1/24').ip() == cidr('192.168.0.1/24').masked().ip()", False),
    ("cidr('192.168.0.1/24').masked() == cidr('192.168.0.0/24')", True),
    ("cidr('192.168.0.0/24').prefixLength()", 24),
    ("cidr('::1/128').ip().family()", 6),
    ("string(cidr('192.168.0.1/24'))", "192.168.0.1/24"),
    ("type(ip('::1')) == net.IP && type(cidr('::1/128')) == net.CIDR", True),
]
QUANTITIES = [
    ("isQuantity('1.3Gi')", True),
    ("isQuantity('200K')", False),
    ("isQuantity('Three')", False),
    ("quantity('1.3G') == quantity('1300M')", True),
    ("quantity('500000G').isInteger()", True),
    ("quantity('50k').asInteger()", 50000),
    ("quantity('9999999999999999999999999999999999999G').isInteger()", False),
    ("quantity('50.3').isInteger()", False),
    ("quantity('50.5').asApproximateFloat()", 50.5),
    ("quantity('500Mi').isGreaterThan(quantity('1Mi'))", True),
    ("quantity('500Mi').isLessThan(quantity('1Mi'))", False),
    ("quantity('200M').compareTo(quantity('0.2G'))", 0),
    ("quantity('50M').compareTo(quantity('50Mi'))", -1),
    ("quantity('50Mi').compareTo(quantity('50M'))", 1),
    ("quantity('50k').add(quantity('20')) == quantity('50020')", True),
    ("quantity('50k').sub(20000) == quantity('30k')", True),
    ("quantity('50k').add(20).sub(quantity('100k')).sub(-50000) == quantity('20')", True),
    ("quantity('-5').sign()", -1),
    ("quantity('0').sign()", 0),
]
FORMATS = [
    ("format.dns1123Label().validate('my-name')", None),
    ("format.dns1123Label().validate('My-Name').hasValue()", True),
    ("format.dns1123Subdomain().validate('apiextensions.k8s.io')", None),
    ("format.dns1035Label().validate('1a').hasValue()", True),
    ("format.qualifiedName().validate('apiextensions.k8s.io/v1beta1')", None),
    ("format.dns1123LabelPrefix().validate('my-label-prefix-')", None),
    ("format.dns1123LabelPrefix().validate('my-label-prefix_').hasValue()", True),
    ("format.dns1123SubdomainPrefix().validate('mysubdomain.prefix.-')", None),
    ("format.labelValue().validate('my-cool-label-Value')", None),
    ("format.labelValue().validate('a b').hasValue()", True),
    ("format.uri().validate('http://example.com')", None),
    ("format.uuid().validate('123e4567-e89b-12d3-a456-426614174000')", None),
    ("format.uuid().validate('x').value()", ["invalid uuid"]),
    ("format.byte().validate('aGVsbG8=')", None),
    ("format.byte().validate('a')  .hasValue()", True),
    ("format.date().validate('2021-01-01')", None),
    ("format.date().validate('2021-13-01').hasValue()", True),
    ("format.datetime().validate('2021-01-01T00:00:00Z')", None),
    ("format.named('dns1123Label').value().validate('a')", None),
    ("format.named('none').hasValue()", False),
]
LOOPS = [
    ("[1, 2, 3].all(i, v, i < v)", True),
    ("[1, 0].all(i, v, i < v)", False),
    ("{'a': 1, 'b': 2}.all(k, v, k in ['a', 'b'] && v > 0)", True),
    ("{'a': 1, 'b': 2}.exists(k, v, k == 'b' && v == 2)", True),
    ("['a', 'b'].existsOne(i, v, i == 1 && v == 'b')", True),
    ("[1, 2, 3].transformList(i, v, i * v)", [0, 2, 6]),
    ("[1, 2, 3].transformList(i, v, v > 1, i * v)", [2, 6]),
    ("{'a': 1}.transformList(k, v, k)", ["a"]),
    ("[1, 2].transformMap(i, v, v * 10)", {0: 10, 1: 20}),
    ("{'a': 1, 'b': 2}.transformMap(k, v, v > 1, v + 1)", {"b": 3}),
    ("{'a': 'x'}.transformMapEntry(k, v, {v: k})", {"x": "a"}),
]
OTHERS = [
    ("'TEXT é'.lowerAscii()", "text é"),
    (r"strings.quote('a\"b\n')", '"a\\"b\\n"'),
    ("['a', 'b', 'c'].join(' ')", "a b c"),
    ("[dyn('a'), dyn('b')].join()", "ab"),
    ("'%s and %s'.format(['a', 'b'])", "a and b"),
    ("'%s'.format([duration('90s')])", "90s"),
    ("'%s'.format([timestamp('2024-01-01T00:00:00Z')])", "2024-01-01T00:00:00Z"),
    ("'%s'.format([null])", "null"),
    ("'%s'.format([type(1)])", "int"),
    ("optional.of(5).orValue(1)", 5),
]  # fmt: skip


@pytest.mark.parametrize(
    ("text", "wanted"), [*LISTS, *SETS, *REGEXES, *URLS, *ADDRESSES, *QUANTITIES, *LOOPS, *OTHERS]
)
def test_function(text: str, wanted: Any) -> None:
    found = value_of(text)
    assert found == wanted
    assert type(found) is type(wanted)


@pytest.mark.parametrize(("text", "wanted"), FORMATS)
def test_format(text: str, wanted: Any) -> None:
    found = value_of(text)
    if wanted is None:
        assert not found.present
    else:
        assert found == wanted


@pytest.mark.parametrize(
    "text",
    [
        "[].min()", "[].max()", "url('../x')", "ip('x')", "cidr('1.2.3.4')", "quantity('x')",
        "quantity('50.3').asInteger()", "'abc'.substring(3, 9)", "'abc'.find('(')",
        "[dyn(1), dyn('a')].isSorted()",
        "[9223372036854775807, 1].sum()", "{'a': 'x', 'b': 'x'}.transformMapEntry(k, v, {v: k})",
        "'%z'.format([1])", "'%.999f'.format([1.0])",
    ],
)  # fmt: skip
def test_function_that_cannot_answer_fails(text: str) -> None:
    with pytest.raises((EvaluationError, ExpressionError)):
        value_of(text)


@pytest.mark.parametrize(
    "text",
    [
        "['a'].sum()",
        "[true].sum()",
        "'x'.isSorted()",
        "ip(1)",
        "quantity(1)",
        "url('/a') < url('/b')",
        "format.none()",
    ],
)
def test_function_is_refused_for_other_types(text: str) -> None:
    with pytest.raises(ExpressionError):
        value_of(text)
