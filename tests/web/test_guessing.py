"""Every address that accepts a key or code counts wrong ones, and a code opens `/s/CODE` only."""

import re

import pytest

from scorer import create_app
from scorer.engine import read_head
from scorer.store.keys import mint, mint_code
from scorer.web.frame.rate_limits import GUESS_LIMITS
from tests.serving import InProcessClient

pytestmark = pytest.mark.slow

TRIES = 30
TYPED = [
    ("POST", "/remember", "key"),
    ("POST", "/regulars/evenings", "group"),
    ("GET", "/", "regulars"),
    ("POST", "/new", "regulars"),
]
"""Method and path of each form that accepts a key, and the field for the key."""
FILLED = {"key": "{}", "code": "{}", "what": "standings"}
"""The values for the placeholders of addresses."""


@pytest.fixture(scope="module")
def app(tmp_path_factory):
    return create_app({"DATABASE": str(tmp_path_factory.mktemp("guess") / "bummerl.db")})


def addresses(app):
    """Method and path of every route that takes a key or a code."""
    for rule in app.url_map.iter_rules():
        if {"key", "code"} & rule.arguments:
            path = re.sub(r"<(?:int:)?(\w+)>", lambda named: FILLED.get(named[1], "1"), rule.rule)
            for method in sorted(rule.methods - {"HEAD", "OPTIONS"}):
                yield method, path


def request_with_key(app, address, method, path, key):
    """The status and text of the response to a request with a key from this IP address."""
    found = next(((m, p, field) for m, p, field in TYPED if (m, p) == (method, path)), None)
    values = {found[2]: key, "rules": "bayern", "token": "t"} if found else {}
    sent = {"query_string" if method == "GET" else "data": values}
    peer = {"REMOTE_ADDR": address}
    headers = {"Idempotency-Key": "x", "If-Match": '"0"'}
    client = app.test_client(use_cookies=False)
    with client.open(
        path.format(key), method=method, environ_base=peer, headers=headers, **sent
    ) as answer:
        text = re.sub(f'{key}|name=.token. value=.[^"]+', "", answer.text)
        return answer.status_code, text


def all_routes(app):
    return [*addresses(app), *((method, path) for method, path, _ in TYPED)]


def test_wrong_keys_are_limited_on_every_route(app):
    for at, (method, path) in enumerate(all_routes(app)):
        address = f"10.{at // 250}.{at % 250}.1"
        answers = [request_with_key(app, address, method, path, mint())[0] for _ in range(TRIES)]
        refused = [status == 429 for status in answers]
        assert refused == [n >= GUESS_LIMITS[0].most for n in range(TRIES)], (method, path, answers)


def test_wrong_keys_on_all_routes_count_together(app):
    tried = all_routes(app)
    answers = [
        request_with_key(app, "10.9.0.1", *tried[n % len(tried)], mint())[0] for n in range(TRIES)
    ]
    assert answers.count(429) == TRIES - GUESS_LIMITS[0].most
    # A right key still works from the same address.
    key = InProcessClient(app).table()["viewer"]
    assert request_with_key(app, "10.9.0.1", "GET", "/b/{}", key)[0] == 200


def test_code_opens_only_its_own_address(app):
    keys = app.extensions["tables"].create(read_head({"watten": 1, "rules": "bayern"}))
    assert request_with_key(app, "10.8.0.1", "GET", "/s/{}", keys["code"])[0] == 303
    for at, (method, path) in enumerate(all_routes(app)):
        if path == "/s/{}":
            continue
        # No response reveals whether the code exists.
        right, wrong = (
            request_with_key(app, f"10.7.{at % 250}.{at // 250}", method, path, key)
            for key in (keys["code"], mint_code())
        )
        assert right == wrong, (method, path)
        assert right[0] in (303, 400, 403, 404, 415, 422, 200), (method, path)
