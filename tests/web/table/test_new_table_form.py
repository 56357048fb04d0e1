"""A form that is sent several times creates one table, ledger or tournament."""

import re
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import pytest

from scorer.store.keys import digest
from tests.builders import WON
from tests.databases import Files, Servers
from tests.serving import Phone, serving
from tests.slow import slow

TIMES = 6


@pytest.fixture(scope="module", params=["sqlite", "postgres"])
def book(request, tmp_path_factory):
    """A store of each kind, and a server with several workers on it."""
    postgres = request.param == "postgres"
    folder = tmp_path_factory.mktemp("opening")
    made = Servers(request.getfixturevalue("cluster")) if postgres else Files(folder)
    with made as database, serving(database.place, workers=3) as server:
        yield database, server


@dataclass(frozen=True)
class Form:
    """A form on the page of a phone: the address it posts to, and its fields."""

    action: str
    fields: list[tuple[str, str]]


def shown(phone, page, action, **filled):
    """The form on a page that posts to an address, filled in."""
    [form] = re.findall(rf'<form[^>]* action="{action}".*?</form>', phone.open(page), re.S)
    hidden = re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)"', form)
    assert dict(hidden)["token"]
    return Form(action, [*hidden, *filled.items()])


def cookies_of(phone):
    return "; ".join(f"{name}={value}" for name, value in phone.cookies.items())


def sent(server, phone, form):
    """The address to which a form redirects if it is sent with the phone's present cookies."""
    status, headers, page = server.request(
        "POST", form.action, form.fields, Cookie=cookies_of(phone)
    )
    assert status == 303, page
    return headers["location"]


def new_table(phone, **filled):
    return shown(phone, "/", "/new", **{"rules": "bayern", "side0": "Wir", **filled})


def new_ledger(phone):
    return shown(phone, "/", "/regulars", name="Beim Wirt")


def new_tournament(phone):
    return shown(phone, "/p/new", "/p/new", name="Preiswatten", rules="bayern")


def of_house_rules(phone):
    return shown(phone, "/new?rules=bayern&side0=Wir", "/new")


def in_a_ledger(phone):
    ledger = sent(phone.server, phone, new_ledger(phone)).rsplit("/", 1)[1]
    return shown(phone, f"/?regulars={ledger}", "/new", rules="bayern", side0="Wir")


def as_last_time(phone):
    desk = sent(phone.server, phone, new_tournament(phone)).removesuffix("/pairs")
    filled = {"name": "Wieder", "rules": "bayern", "preset": "again", "kind1": "Speck"}
    return shown(phone, f"{desk}/again", f"{desk}/again", **filled)


FORMS = [
    new_table,
    *slow(of_house_rules, in_a_ledger, new_ledger),
    new_tournament,
    *slow(as_last_time),
]


@pytest.mark.parametrize("form", FORMS)
def test_a_form_sent_many_times_at_once_opens_one(book, form):
    database, server = book
    phone = Phone(server)
    drawn = form(phone)
    [(before,)] = database.execute("select count(*) from streams")
    with ThreadPoolExecutor(TIMES) as taps:
        led = set(taps.map(lambda _: sent(server, phone, drawn), range(TIMES)))
    [there] = led
    phone.open(there)
    [(after,)] = database.execute("select count(*) from streams")
    assert after == before + 1
    # The store contains the key's digest, but not the key.
    key = re.search("[a-z2-7]{26}", there)[0]
    kept = "".join(map(str, (database.execute(f"select * from {t}") for t in ("keys", "boxes"))))
    assert key not in kept
    assert digest(key) in kept


def test_form_again_after_the_first_round(server):
    phone = Phone(server)
    form = new_table(phone)
    there = sent(server, phone, form)
    server.write(there.rsplit("/", 1)[1], WON, "first")
    assert sent(server, phone, form) == there


@pytest.mark.parametrize("form", [new_table, in_a_ledger])
def test_form_again_after_a_renewal(server, form):
    phone = Phone(server)
    form = form(phone)
    there = sent(server, phone, form)
    assert server.request("POST", f"{there}/renew", [("role", "scorer")])[0] == 303
    another = sent(server, phone, form)
    assert another != there
    assert server.request("GET", another)[0] == 200


@pytest.mark.parametrize("form", [new_table, of_house_rules, in_a_ledger, new_tournament])
def test_form_again_leads_to_the_link_that_this_phone_renewed(server, form):
    phone = Phone(server)
    drawn = form(phone)
    there = sent(server, phone, drawn)
    phone.open(there)
    page = there.removesuffix("/pairs")
    role = "director" if page != there else "scorer"
    _, headers, _ = server.request(
        "POST", f"{page}/renew", [("role", role), ("token", "r")], Cookie=cookies_of(phone)
    )
    phone.open(headers["location"])
    key = re.search("[a-z2-7]{26}", headers["location"])[0]
    assert key not in there
    assert re.search("[a-z2-7]{26}", sent(server, phone, drawn))[0] == key


def test_another_form_opens_another(server):
    phone, other = Phone(server), Phone(server)
    form = new_table(phone)
    otherwise = Form(form.action, [*form.fields, ("side1", "Die")])
    other.open("/")
    told = [sent(server, phone, form), sent(server, phone, otherwise)]
    # Another phone that sends the same form does not get the same address.
    told += [sent(server, other, form), sent(server, Phone(server), form)]
    told += [sent(server, phone, new_table(phone)), sent(server, other, new_table(other))]
    assert len(set(told)) == len(told)


def test_form_without_cookies(server):
    forms = [("rules", "bayern"), ("token", "x")]
    opened = {server.request("POST", "/new", forms)[1]["location"] for _ in range(2)}
    assert len(opened) == 2
