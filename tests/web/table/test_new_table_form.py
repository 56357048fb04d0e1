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


def filled_form(phone, page, action, **filled):
    """The form on a page that posts to an address, filled in."""
    [form] = re.findall(rf'<form[^>]* action="{action}".*?</form>', phone.open(page), re.S)
    hidden = re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)"', form)
    assert dict(hidden)["token"]
    return Form(action, [*hidden, *filled.items()])


def cookies_of(phone):
    return "; ".join(f"{name}={value}" for name, value in phone.cookies.items())


def send_form(server, phone, form):
    """The address to which a form redirects if it is sent with the phone's present cookies."""
    status, headers, page = server.request(
        "POST", form.action, form.fields, Cookie=cookies_of(phone)
    )
    assert status == 303, page
    return headers["location"]


def new_table(phone, **filled):
    return filled_form(phone, "/", "/new", **{"rules": "bayern", "side0": "Wir", **filled})


def new_ledger(phone):
    return filled_form(phone, "/", "/regulars", name="Beim Wirt")


def new_tournament(phone):
    return filled_form(phone, "/p/new", "/p/new", name="Preiswatten", rules="bayern")


def of_house_rules(phone):
    return filled_form(phone, "/new?rules=bayern&side0=Wir", "/new")


def in_a_ledger(phone):
    ledger = send_form(phone.server, phone, new_ledger(phone)).rsplit("/", 1)[1]
    return filled_form(phone, f"/?regulars={ledger}", "/new", rules="bayern", side0="Wir")


def as_last_time(phone):
    desk = send_form(phone.server, phone, new_tournament(phone)).removesuffix("/pairs")
    filled = {"name": "Wieder", "rules": "bayern", "preset": "again", "kind1": "Speck"}
    return filled_form(phone, f"{desk}/again", f"{desk}/again", **filled)


FORMS = [
    new_table,
    *slow(of_house_rules, in_a_ledger, new_ledger),
    new_tournament,
    *slow(as_last_time),
]


@pytest.mark.parametrize("form", FORMS)
def test_concurrent_resends_create_only_one_stream(book, form):
    database, server = book
    phone = Phone(server)
    drawn = form(phone)
    [(before,)] = database.execute("select count(*) from streams")
    with ThreadPoolExecutor(TIMES) as taps:
        addresses = set(taps.map(lambda _: send_form(server, phone, drawn), range(TIMES)))
    [there] = addresses
    phone.open(there)
    [(after,)] = database.execute("select count(*) from streams")
    assert after == before + 1
    # The store contains the key's digest, but not the key.
    key = re.search("[a-z2-7]{26}", there)[0]
    kept = "".join(map(str, (database.execute(f"select * from {t}") for t in ("keys", "boxes"))))
    assert key not in kept
    assert digest(key) in kept


def test_resend_after_a_round_returns_the_same_table(server):
    phone = Phone(server)
    form = new_table(phone)
    there = send_form(server, phone, form)
    server.write(there.rsplit("/", 1)[1], WON, "first")
    assert send_form(server, phone, form) == there


@pytest.mark.parametrize("form", [new_table, in_a_ledger])
def test_resend_after_renewal_leads_to_a_working_link(server, form):
    phone = Phone(server)
    form = form(phone)
    there = send_form(server, phone, form)
    assert server.request("POST", f"{there}/renew", [("role", "scorer")])[0] == 303
    another = send_form(server, phone, form)
    assert another != there
    assert server.request("GET", another)[0] == 200


@pytest.mark.parametrize("form", [new_table, of_house_rules, in_a_ledger, new_tournament])
def test_resend_leads_to_the_link_this_phone_renewed(server, form):
    phone = Phone(server)
    drawn = form(phone)
    there = send_form(server, phone, drawn)
    phone.open(there)
    page = there.removesuffix("/pairs")
    role = "director" if page != there else "scorer"
    _, headers, _ = server.request(
        "POST", f"{page}/renew", [("role", role), ("token", "r")], Cookie=cookies_of(phone)
    )
    phone.open(headers["location"])
    key = re.search("[a-z2-7]{26}", headers["location"])[0]
    assert key not in there
    assert re.search("[a-z2-7]{26}", send_form(server, phone, drawn))[0] == key


def test_different_form_or_phone_creates_another_table(server):
    phone, other = Phone(server), Phone(server)
    form = new_table(phone)
    otherwise = Form(form.action, [*form.fields, ("side1", "Die")])
    other.open("/")
    addresses = [send_form(server, phone, form), send_form(server, phone, otherwise)]
    # Another phone that sends the same form does not get the same address.
    addresses += [send_form(server, other, form), send_form(server, Phone(server), form)]
    addresses += [
        send_form(server, phone, new_table(phone)),
        send_form(server, other, new_table(other)),
    ]
    assert len(set(addresses)) == len(addresses)


def test_forms_without_cookies_create_separate_tables(server):
    forms = [("rules", "bayern"), ("token", "x")]
    opened = {server.request("POST", "/new", forms)[1]["location"] for _ in range(2)}
    assert len(opened) == 2
