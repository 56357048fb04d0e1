"""The lists of tables, ledgers and tournaments that a phone remembers."""

import pytest

from scorer.web.frame.remembered_keys import MAX_OPENED_KEYS
from tests.builders import WON
from tests.sampling import mostly_slow
from tests.serving import Phone


def test_foreign_links_do_not_displace_own_links(server):
    phone, own = Phone(server), server.table()["scorer"]
    phone.cookies["phone"] = "a" * 26
    phone.open(f"/t/{own}")
    for _ in range(MAX_OPENED_KEYS + 2):
        phone.open(f"/b/{server.table()['viewer']}")
    remembered = phone.cookies["tables"].split(".")
    assert (own in remembered, len(remembered)) == (True, MAX_OPENED_KEYS)


OPENED_BY = [
    ("/new", {"rules": "bayern"}, "tables"),
    ("/regulars", {"name": "Donnerstag"}, "groups"),
    ("/p/new", {"preset": "", "rules": "bayern", "name": "Preis"}, "tournaments"),
    ("/p/{director}/again", {"name": "Preis", "rules": "bayern"}, "tournaments"),
]
"""Each form that creates something: its path, its fields and the cookie that lists the result."""


def path_with_foreign_key(server, shelf):
    """The path of a page that adds a stranger's key with all permissions to this list."""
    if shelf == "tables":
        return f"/t/{server.table(played=[WON])['scorer']}"
    if shelf == "tournaments":
        return f"/p/{server.new_tournament()['director']}"
    return server.submit("/regulars", [("name", "Fremd"), ("token", "t")])


@pytest.mark.parametrize(("path", "filled", "shelf"), mostly_slow(OPENED_BY, 2))
def test_streams_created_here_stay_listed(server, path, filled, shelf):
    phone = Phone(server)
    phone.open("/")
    path = path.format(director=server.new_tournament()["director"])

    def listed_after_creating(token):
        assert phone.send(path, [*filled.items(), ("token", token)]) == 303
        return phone.cookies[shelf].split(".")

    own = listed_after_creating("t")[0]
    for _ in range(MAX_OPENED_KEYS + 2):
        phone.open(path_with_foreign_key(server, shelf))
    listed = phone.cookies[shelf].split(".")
    assert (own in listed, len(listed)) == (True, MAX_OPENED_KEYS + 1)
    # Only what this phone creates later pushes it off the list.
    for n in range(MAX_OPENED_KEYS):
        listed = listed_after_creating(f"t{n}")
    assert (own in listed, len(listed)) == (False, 2 * MAX_OPENED_KEYS)
