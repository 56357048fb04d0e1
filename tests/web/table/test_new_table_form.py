"""A form that is sent several times creates one table, ledger or tournament."""

import re
from concurrent.futures import ThreadPoolExecutor
from typing import NamedTuple

import pytest

from scorer.store.keys import digest
from tests.builders import WON
from tests.databases import PostgresDatabase, SqliteDatabase
from tests.sampling import mostly_slow
from tests.serving import Phone, serving

TIMES = 6


@pytest.fixture(scope="module", params=["sqlite", "postgres"])
def book(request, tmp_path_factory):
    """A store of each kind, and a server with several workers on it."""
    postgres = request.param == "postgres"
    folder = tmp_path_factory.mktemp("opening")
    made = (
        PostgresDatabase(request.getfixturevalue("cluster")) if postgres else SqliteDatabase(folder)
    )
    with made as database, serving(database.place, workers=3) as server:
        yield database, server


class Form(NamedTuple):
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


def send_form(phone, form):
    """The address to which a form redirects if it is sent with the phone's present cookies."""
    return phone.server.submit(*form, Cookie=cookies_of(phone))


def key_in(address):
    return re.search("[a-z2-7]{26}", address)[0]


def new_table(phone, **filled):
    return filled_form(phone, "/", "/new", **{"rules": "bayern", "side0": "Wir", **filled})


def new_ledger(phone):
    return filled_form(phone, "/", "/regulars", name="Beim Wirt")


def new_tournament(phone):
    return filled_form(phone, "/p/new", "/p/new", name="Preiswatten", rules="bayern")


def of_house_rules(phone):
    return filled_form(phone, "/new?rules=bayern&side0=Wir", "/new")


def in_a_ledger(phone):
    ledger = key_in(send_form(phone, new_ledger(phone)))
    return filled_form(phone, f"/?regulars={ledger}", "/new", rules="bayern", side0="Wir")


def as_last_time(phone):
    desk = send_form(phone, new_tournament(phone)).removesuffix("/pairs")
    filled = {"name": "Wieder", "rules": "bayern", "preset": "again", "kind1": "Speck"}
    return filled_form(phone, f"{desk}/again", f"{desk}/again", **filled)


FORMS = [new_table, new_tournament, of_house_rules, in_a_ledger, new_ledger, as_last_time]


@pytest.mark.parametrize("form", mostly_slow(FORMS))
def test_concurrent_resends_create_only_one_stream(book, form):
    database, server = book
    phone = Phone(server)
    drawn = form(phone)
    [(before,)] = database.execute("select count(*) from streams")
    with ThreadPoolExecutor(TIMES) as taps:
        [there] = set(taps.map(lambda _: send_form(phone, drawn), range(TIMES)))
    phone.open(there)
    [(after,)] = database.execute("select count(*) from streams")
    assert after == before + 1
    # The store contains the key's digest, but not the key.
    kept = "".join(map(str, (database.execute(f"select * from {t}") for t in ("keys", "boxes"))))
    assert key_in(there) not in kept and digest(key_in(there)) in kept


def test_resend_after_a_round_returns_the_same_table(server):
    phone = Phone(server)
    form = new_table(phone)
    there = send_form(phone, form)
    server.play(key_in(there), WON)
    assert send_form(phone, form) == there


@pytest.mark.parametrize("form", [new_table, in_a_ledger])
def test_resend_after_renewal_leads_to_a_working_link(server, form):
    phone = Phone(server)
    form = form(phone)
    there = send_form(phone, form)
    server.submit(f"{there}/renew", [("role", "scorer")])
    another = send_form(phone, form)
    assert another != there
    server.page(another)


@pytest.mark.parametrize("form", [new_table, of_house_rules, in_a_ledger, new_tournament])
def test_resend_leads_to_the_link_this_phone_renewed(server, form):
    phone = Phone(server)
    drawn = form(phone)
    there = send_form(phone, drawn)
    phone.open(there)
    page = there.removesuffix("/pairs")
    role = "director" if page != there else "scorer"
    renewed = send_form(phone, Form(f"{page}/renew", [("role", role), ("token", "r")]))
    phone.open(renewed)
    assert key_in(renewed) not in there
    assert key_in(send_form(phone, drawn)) == key_in(renewed)


def test_different_form_or_phone_creates_another_table(server):
    phone, other = Phone(server), Phone(server)
    form = new_table(phone)
    otherwise = Form(form.action, [*form.fields, ("side1", "Die")])
    other.open("/")
    # Another phone that sends the same form does not get the same address.
    sent = [(phone, form), (phone, otherwise), (other, form), (Phone(server), form)]
    addresses = [send_form(*pair) for pair in sent]
    addresses += [send_form(one, new_table(one)) for one in (phone, other)]
    assert len(set(addresses)) == len(addresses)


def test_forms_without_cookies_create_separate_tables(server):
    form = [("rules", "bayern"), ("token", "x")]
    assert server.submit("/new", form) != server.submit("/new", form)
