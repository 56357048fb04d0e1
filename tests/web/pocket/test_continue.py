"""A scanned evening continues at a new table."""

import json

import pytest

from scorer.book import evening_qr_codes
from scorer.engine import replay
from scorer.store import hash_chain
from tests.builders import BAYERN, LOST, WON
from tests.pages import Page
from tests.serving import Phone


@pytest.fixture
def phone(server):
    return Phone(server)


@pytest.fixture
def evening(server):
    """The keys of a table with a correction and a dispute of the other side."""
    keys = server.table("bayern", sides=[{"name": "Huber", "players": ["Anna", "Bert"]}, {}])
    server.play(keys["scorer"], WON, LOST, {"do": "korrektur", "of": 0, "with": LOST})
    server.play(keys["opponent"], {"do": "strittig", "side": 1, "of": 1})
    return keys


def codes(record):
    return " ".join(evening_qr_codes.texts(record))


def continue_forms(phone, text):
    """The forms that continue a scanned evening, on the page for its codes."""
    status = phone.send("/q/", [("codes", text)])
    return status, [form for form in Page(phone.text).all("form") if "continue" in form["action"]]


def continue_evening(phone, text):
    """The writer's key of the new table at which a phone continues a scanned evening."""
    status, [form] = continue_forms(phone, text)
    assert (status, phone.send(form["action"], form.fields)) == (200, 303)
    return phone.cookies["tables"].split(".")[0]


def test_another_phone_continues_the_evening(server, phone, evening):
    scanned = server.record(evening["scorer"])
    key = continue_evening(phone, codes(scanned))
    assert server.state(key) == server.state(evening["scorer"])
    server.play(key, WON)
    record = server.record(key)
    # Each record is valid by itself, and the new one names the last entry of the old one.
    for replayed in (scanned, record):
        head = {name: value for name, value in replayed.items() if name != "events"}
        assert hash_chain.first_broken_entry(head, replayed["events"]) is None
        assert replay(replayed)[1] is None
    witness = hash_chain.Witness(scanned["events"][-1]["hash"], 4).text
    assert record["continues"] == witness
    seen = server.page(f"/b/{evening['viewer']}/sheet?seen={witness}")
    assert seen.has(data_seen="held")
    for page in ("sheet", "history"):
        assert server.page(f"/b/{key}/{page}").has(data_continues=witness)
    # The scanned table has not changed.
    assert server.record(evening["scorer"]) == scanned


def test_copied_entries_are_signed_by_the_new_phone(server, phone, evening):
    key = continue_evening(phone, codes(server.record(evening["scorer"])))
    roles, names = zip(*(e["by"].split() for e in server.record(key)["events"]), strict=True)
    assert roles == ("scorer", "scorer", "scorer", "opponent")
    assert len(set(names)) == 1
    # Entries keep their times, which are marked as a phone's.
    assert all("received" in entry for entry in server.record(key)["events"])


def test_a_form_sent_twice_opens_one_table(server, phone, evening):
    _, [form] = continue_forms(phone, codes(server.record(evening["scorer"])))
    opened = set()
    for _ in range(2):
        assert phone.send(form["action"], form.fields) == 303
        opened.add(phone.cookies["tables"])
    assert len(opened) == 1


def test_continuing_device_is_marked_as_second(server, phone):
    keys = server.table("bayern", played=[WON])
    key = continue_evening(phone, codes(server.record(keys["scorer"])))
    assert phone.cookies["second"] == key


def test_evening_without_rounds_can_be_continued(server, phone):
    key = continue_evening(phone, codes({**BAYERN, "events": []}))
    assert server.seq(key) == 0
    assert server.record(key)["continues"].startswith("0:")
    assert "resolved" in server.record(key)


def test_continued_evening_can_be_continued_again(server, phone, evening):
    key = continue_evening(phone, codes(server.record(evening["scorer"])))
    server.play(key, {"do": "geklaert", "side": 0, "of": 1})
    second = continue_evening(Phone(server), codes(server.record(key)))
    assert server.record(second)["continues"].startswith("5:")
    assert server.state(second) == server.state(key)


def spoiled(record):
    """The codes of a record whose last hash is wrong."""
    record["events"][-1]["hash"] = "0" * 64
    return codes(record)


def impossible(_record):
    return codes({**BAYERN, "events": [{"do": "bleiben", "side": 0}]})


def full(_record):
    return codes({**BAYERN, "events": [{"do": "bestaetigt", "game": 1, "side": 0}] * 2001})


@pytest.mark.parametrize("spoil", [spoiled, impossible, full, lambda record: "W2.1.1.AB"])
def test_invalid_codes_cannot_be_continued(server, phone, evening, spoil):
    text = spoil(server.record(evening["scorer"]))
    assert not continue_forms(phone, text)[1]
    assert phone.send("/q/continue", [("codes", text), ("token", "t")]) == 422
    assert Page(phone.text).has(role="alert") and Page(phone.text).has("h1")
    assert "tables" not in phone.cookies


@pytest.mark.parametrize("continues", [7, "12", "12:7f3a", "x" * 40, "1:7f3a-91c2-0b4e-66d1-a90g"])
def test_invalid_continues_field_is_refused(server, continues):
    body = json.dumps({**BAYERN, "continues": continues}).encode()
    status, _, text = server.request("POST", "/api/tables", body, Content_Type="application/json")
    assert status == 422 and "continues" in text


def test_ledger_counts_a_continued_evening_once(server, phone, evening):
    phone.send("/regulars", [("name", "Donnerstag")])
    ledger = phone.cookies["groups"]
    first = evening["scorer"]
    server.play(first, {**LOST, "stake": 15})
    later = continue_evening(phone, codes(server.record(first)))

    def games():
        accounts = json.loads(server.request("GET", f"/g/{ledger}/ledger.json")[2])["players"]
        return {name: account["games"] for name, account in accounts.items()}

    for key in (first, later):
        assert phone.send("/regulars/evenings", [("group", ledger), ("table", key)]) == 303
    assert games()["Anna"] == 1
    # Play continues at the later table, and the row of the earlier one shows this.
    server.play(later, {"do": "neues_spiel"}, {**WON, "stake": 15})
    assert games()["Anna"] == 2
    rows = server.page(f"/g/{ledger}").all("small", data_continued=True)
    assert len(rows) == 1
    # After the later evening is dropped, the first counts again.
    page = server.page(f"/g/{ledger}")
    drop = [button["value"] for button in page.all("button", name="table")]
    assert phone.send(f"/g/{ledger}/drop", [("table", drop[0])]) == 303
    assert games()["Anna"] == 1
    assert not server.page(f"/g/{ledger}").has("small", data_continued=True)
