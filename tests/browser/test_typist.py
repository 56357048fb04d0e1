"""Results typed quickly at the desk are stored as typed, or refused visibly.

Slips are typed as fast as a browser takes keys, while the network changes. A model of a few lines
predicts the outcome of each: recorded, already recorded, or a question.
"""

import base64
import hashlib
import random
import time
from collections import Counter
from dataclasses import dataclass, field
from functools import partial

import pytest
from playwright.sync_api import expect

from scorer.web.frame.device_identity import SECRET_COOKIE, author_of
from tests.torture import IS_LONG_RUN
from tests.web.tournament.hall import Hall

TABLES = 24
WIDE = {"width": 1280, "height": 800}
SPELLED = ("{}", "Tisch {}", "#{}", "{}.", "T{}")


@dataclass
class Slip:
    table: int
    points: str
    games: list[list[int]] | None
    """None if the points are not readable."""


@dataclass
class Desk:
    """A model of what a desk does with slips, in their order."""

    tables: range
    games: dict[int, list[list[int]]] = field(default_factory=dict)
    written: list[tuple[int, list[list[int]]]] = field(default_factory=list)
    asked: list[tuple[str, str]] = field(default_factory=list)

    def take(self, slip, is_confirmed):
        """:param is_confirmed: whether the typist gives a reason for a correction"""
        is_wrong = slip.games is None or slip.table not in self.tables
        if not is_wrong and self.games.get(slip.table) == slip.games:
            return
        if is_wrong or slip.table in self.games:
            self.asked.append((str(slip.table), slip.points))
        if not is_wrong and (slip.table not in self.games or is_confirmed):
            self.games[slip.table] = slip.games
            self.written.append((slip.table, slip.games))

    def restore(self, table, before):
        """Take back the newest entry of a table, and restore the games before it."""
        self.games.pop(table)
        if before:
            self.games[table] = before
            self.written.append((table, before))


def slips(rng, count, kind):
    """Yield slips of two games, most of them of tables without a result."""
    free = list(range(1, TABLES + 1))
    rng.shuffle(free)
    for _ in range(count):
        is_odd = kind in ("asked", "back") and rng.random() < 0.4
        table = free.pop() if free and not is_odd else rng.randint(1, TABLES + 2)
        losers = rng.choices([n for n in range(15) if n != 1], k=2)
        lost = [rng.random() < 0.4 for _ in losers]
        games = [[n, 15] if own else [15, n] for n, own in zip(losers, lost, strict=True)]
        typed = " ".join(f"-{n}" if own else str(n) for n, own in zip(losers, lost, strict=True))
        if is_odd and rng.random() < 0.3:
            games, typed = None, rng.choice(("8", "8 3 2", "8 x", "-"))
        yield Slip(table, typed, games)


class Typist:
    def __init__(self, page, hall):
        self.page, self.hall = page, hall
        self.devtools = page.context.new_cdp_session(page)
        self.devtools.send("Network.enable")
        self.asked = page.locator("#messages [data-asked]")
        page.goto(f"/p/{hall.key}")
        expect(page.locator("#line [name=entry]")).to_be_focused()
        # The browser handles Enter itself until all scripts are loaded.
        expect(page.locator("#line[data-ready]")).to_be_attached()

    def latency(self, milliseconds, is_off=False):
        wire = {"latency": milliseconds, "downloadThroughput": -1, "uploadThroughput": -1}
        self.devtools.send("Network.emulateNetworkConditions", {"offline": is_off, **wire})

    def type(self, slip, rng):
        table = rng.choice(SPELLED).format(slip.table)
        ways = (("{}\n{}\n", 1), ("{}\n{}\n", 2), ("{} {}\n", 1), ("{} {}\n", 1))
        way, presses = rng.choice(ways)
        for line in way.format(table, slip.points).splitlines():
            self.page.keyboard.type(line)
            self.press_enter(presses)

    def press_enter(self, presses, between=lambda: None):
        """Press Enter as a trembling finger does, every 100 ms by the keyboard's clock."""
        first = time.time()
        for n in range(presses):
            if n:
                between()
            key = {"key": "Enter", "windowsVirtualKeyCode": 13, "timestamp": first + n / 10}
            self.devtools.send("Input.dispatchKeyEvent", {"type": "keyDown", "text": "\r", **key})
            self.devtools.send("Input.dispatchKeyEvent", {"type": "keyUp", **key})

    def settle(self, answer):
        """Answer questions until nothing waits; return the table and points of each question.

        :param answer: returns whether a correction gets its reason, else it is discarded
        """
        found = []
        while question := self.answer(answer()):
            found.append(question[1:])
        return found

    def answer(self, is_confirmed):
        """Answer the open question; return its token, table and points, None if nothing waits."""
        expect(self.page.locator("#queue:empty, #messages [data-asked]").first).to_be_attached()
        if not self.asked.count():
            return None
        fields = "['token', 'table', 'points'].map((name) => form.elements[name]?.value ?? '')"
        token, *fields = self.asked.evaluate(f"(form) => {fields}")
        same = f"#messages form:has([name=token][value='{token}'])"
        reason = self.asked.locator("[name=reason]")
        if is_confirmed and reason.count():
            reason.fill("verlesen")
            # The question may return at once, about a newer entry of another desk.
            seen = self.asked.locator("[name=seen]").input_value()
            same += f":has([name=seen][value='{seen}'])"
            reason.press("Enter")
        else:
            self.asked.locator("[data-leave]").click()
        expect(self.page.locator(same)).to_have_count(0)
        return token, *fields

    def take_back(self, table):
        """Press Delete until a table's entry is taken back. Two more presses have no effect."""
        expect(self.page.locator(f"#messages [data-written='{table}']")).to_be_attached()
        taken = self.page.locator("#messages [data-notice=taken-back]")
        while not taken.count():
            self.page.keyboard.press("Delete")
        for _ in range(2):
            self.page.keyboard.press("Delete")

    def signature(self):
        """The server's signature for entries of this desk."""
        [secret] = [c["value"] for c in self.page.context.cookies() if c["name"] == SECRET_COOKIE]
        digest = hashlib.sha256("".join(filter(str.isalnum, secret))[:26].encode()).digest()
        return base64.b32encode(digest)[:16].decode().lower()

    def recorded(self):
        """The results recorded from desks in order, as tuples of table and games."""
        return [(event["table"], event["games"]) for _, event in entries(self.hall)]


def entries(hall):
    """All results from desks in order, as tuples of the desk's signature and the event."""
    exported = hall.server.json("GET", f"/p/{hall.key}/export.json")[1]
    events = [entry["event"] for entry in exported["streams"][0]["events"]]
    results = [event for event in events if event["do"] == "ergebnis"]
    return [(author_of(event).device, event) for event in results if event["who"] == "director"]


def type_evening(phone, server, kind, seed):
    """Types the slips of a kind; return the numbers of lost slips and of wrong entries."""
    rng = random.Random(f"{kind} {seed}")
    hall = Hall(server, 2 * TABLES, games_per_round=2)
    hall.draw()
    typist = Typist(phone(viewport=WIDE), hall)
    desk, asked = Desk(range(1, TABLES + 1)), []
    for at, slip in enumerate(slips(rng, TABLES, kind)):
        if kind in ("ahead", "asked", "back") and rng.random() < 0.3:
            typist.latency(rng.randint(0, 400))
        if kind == "network" and rng.random() < 0.3:
            typist.latency(rng.randint(0, 200), is_off=rng.random() < 0.5)
        typist.type(slip, rng)
        is_confirmed = at % 3 == 0
        before, many = desk.games.get(slip.table), len(desk.written)
        desk.take(slip, is_confirmed)
        if kind in ("asked", "back") or at == TABLES - 1:
            typist.latency(0)
            asked += typist.settle(lambda so=is_confirmed: so)
        if kind == "back" and len(desk.written) > many and rng.random() < 0.5:
            typist.take_back(slip.table)
            desk.restore(slip.table, before)
    recorded = typist.recorded()
    told, written = (Counter(map(repr, found)) for found in (asked, desk.asked))
    lost = count_missing(desk.written, recorded) + (written - told).total()
    wrong = count_missing(recorded, desk.written) + (told - written).total()
    return lost, wrong + (recorded != desk.written)


def count_missing(some, others):
    return (Counter(map(repr, some)) - Counter(map(repr, others))).total()


def two_desks(phone, server, seed, count):
    """Two desks type ahead on a slow network, with many slips for the same tables.

    Returns the hall, and per desk its typist, slips and questions.
    """
    rng = random.Random(f"two {seed}")
    hall = Hall(server, 2 * TABLES, games_per_round=2)
    hall.draw()
    typists = [Typist(phone(viewport=WIDE), hall) for _ in range(2)]
    typed = [list(slips(rng, count, "asked")) for _ in typists]
    asked = [{}, {}]
    for two in zip(*typed, strict=True):
        for typist, slip in zip(typists, two, strict=True):
            if rng.random() < 0.3:
                typist.latency(rng.randint(0, 400))
            typist.type(slip, rng)
    is_answered = False
    while not is_answered:
        # Each desk answers its own question while the other has open ones.
        found = [typist.answer(rng.random() < 0.5) for typist in typists]
        for at, question in enumerate(found):
            if question:
                # A question returns if the other desk has changed the result meanwhile.
                asked[at][question[0]] = question[1:]
        is_answered = not any(found)
    return hall, typists, typed, [list(questions.values()) for questions in asked]


def count_unaccounted(everything, own, typed, asked):
    """The numbers of a desk's lost slips, and of its entries and questions that nobody typed.

    :param everything: tables and games that any desk entered
    :param own: tables and games that this desk entered, in order
    :param asked: tables and points of its questions
    """
    own, asked, lost = list(own), Counter(asked), 0
    for slip in typed:
        question, entry = (str(slip.table), slip.points), (slip.table, slip.games)
        was_asked = asked[question] > 0
        asked[question] -= was_asked
        if own[:1] == [entry]:
            own.pop(0)
        elif not was_asked and entry not in everything:
            lost += 1
    return lost, len(own) + asked.total()


def count_overwritten(events):
    """The number of entries that replaced a different result without a reason."""
    current, wrong = {}, 0
    for _, event in events:
        before = current.get(event["table"], event["games"])
        wrong += before != event["games"] and not event.get("reason")
        current[event["table"]] = event["games"]
    return wrong


def type_evening_at_two_desks(phone, server, seed, count=TABLES):
    hall, typists, typed, asked = two_desks(phone, server, seed, count)
    events = entries(hall)
    everything = [(event["table"], event["games"]) for _, event in events]
    counts = [(0, count_overwritten(events))]
    for typist, its_slips, questions in zip(typists, typed, asked, strict=True):
        own = [(e["table"], e["games"]) for by, e in events if by == typist.signature()]
        counts.append(count_unaccounted(everything, own, its_slips, questions))
    return tuple(map(sum, zip(*counts, strict=True)))


KINDS = ("plain", "ahead", "network", "asked", "back", "two")
SLIPS = 1000 if IS_LONG_RUN else 250
"""Slips of each kind in the long test; `make torture` types a thousand."""


def test_a_repeated_enter_on_a_busy_page_opens_no_table(phone, server):
    """The time of the key counts, not the time at which the page gets to it."""
    hall = Hall(server, 4, games_per_round=2)
    hall.draw()
    page = phone(viewport=WIDE)
    typist = Typist(page, hall)
    until = "const end = performance.now() + 600; while (performance.now() < end);"
    page.keyboard.type("1 8 3")
    typist.press_enter(2, between=lambda: page.evaluate(f"() => {{ {until} }}"))
    page.keyboard.type("2 4 4")
    typist.press_enter(1)
    assert not typist.settle(lambda: False)
    assert typist.recorded() == [(1, [[15, 8], [15, 3]]), (2, [[15, 4], [15, 4]])]


@pytest.mark.slow
def test_two_desks_lose_no_slip(phone, server):
    assert type_evening_at_two_desks(phone, server, 1, count=8) == (0, 0)


@pytest.mark.slow
@pytest.mark.timeout(0)
@pytest.mark.parametrize("kind", KINDS)
def test_many_typed_slips_are_stored_as_typed(phone, server, kind):
    """No slip is lost and no entry is wrong; `-rP` prints the counts."""
    slips_typed = TABLES * (1 + (kind == "two"))
    seeds = range(1, 2 + -(-SLIPS // slips_typed))
    play = type_evening_at_two_desks if kind == "two" else partial(type_evening, kind=kind)
    counts = [play(phone, server, seed=seed) for seed in seeds]
    lost, wrong = map(sum, zip(*counts, strict=True))
    print(f"{kind}: {len(seeds) * slips_typed} slips, {lost} lost, {wrong} wrong")
    assert (lost, wrong) == (0, 0)
