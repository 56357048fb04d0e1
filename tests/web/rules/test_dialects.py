"""Dialects replace German words of the table and nothing else."""

import logging
import re
from html import unescape

import pytest
from babel.messages.pofile import read_po

from scorer import create_app
from scorer.doctor import examine
from scorer.engine import REGIONS, rulebook
from scorer.engine.telling.english_sentences import REFUSALS
from scorer.web.frame.dialects import FOLDER, InvalidDialect, files, read, vocabulary
from scorer.web.rules.dialects_page import readable
from tests.builders import NAMED, WON

SHIPPED = files(FOLDER / "none")
PO = FOLDER.parent / "translations/de/LC_MESSAGES/messages.po"


@pytest.fixture(scope="module")
def german():
    """A dict from each German sentence to the English one, of plurals to the singular."""
    found = {}
    with PO.open("rb") as file:
        for message in read_po(file):
            if message.id:
                plural = isinstance(message.id, tuple)
                forms = message.string if plural else (message.string,)
                found |= dict.fromkeys(forms, message.id[0] if plural else message.id)
    return found


PAD_REFUSALS = ("locked-near", "locked-both", "locked-four")
"""Reasons on the pad why a side has no button to raise."""


def test_dialect_vocabulary_excludes_errors(german):
    from scorer.web.frame.errors import MESSAGES as ERRORS

    found = {word for words in vocabulary().values() for word in words}
    own = {word for region in REGIONS for word in rulebook(region)["words"]["de"].values()}
    assert found <= own | set(german)
    refusals = {code: text for code, text in REFUSALS.items() if code not in PAD_REFUSALS}
    messages = {*ERRORS.values(), *map(str, refusals.values())}
    assert not {german[word] for word in found & set(german)} & messages


@pytest.mark.parametrize("path", SHIPPED, ids=lambda path: path.stem)
def test_shipped_dialect_has_every_word(path):
    assert set(read(path).words) == {word for words in vocabulary().values() for word in words}


@pytest.mark.parametrize(
    "text",
    [
        'name = "X',
        "[words]\n",
        'name = "X"\nwords = 3',
        'name = "X"\n[words]\n"Es fehlt etwas." = "Do feit wos."',
        'name = "X"\n[words]\n"Runde %(n)s" = "Rundn"',
        'name = "X"\n[words]\n"gehen" = 3',
    ],
)
def test_invalid_dialect_file_is_skipped_and_reported(tmp_path, caplog, text):
    path, db = tmp_path / "dialects" / "mine.toml", str(tmp_path / "x.db")
    path.parent.mkdir()
    path.write_text(text)
    with pytest.raises(InvalidDialect, match=r"mine\.toml"):
        read(path)
    with caplog.at_level(logging.WARNING):
        app = create_app({"DATABASE": db})
    assert "mine.toml" in caplog.text
    assert set(app.extensions["dialects"]) == {path.stem for path in SHIPPED}
    assert any("mine.toml" in item.text for item in examine(db) if not item.is_ok)


def test_club_adds_a_dialect(tmp_path):
    folder = tmp_path / "dialects"
    folder.mkdir()
    (folder / "vinschgerisch.toml").write_text('name = "Vinschgerisch"\n[words]\n"gilt" = "gült"')
    client = create_app({"DATABASE": str(tmp_path / "x.db")}).test_client()
    assert "Vinschgerisch" in client.get("/dialects").text
    client.post("/language", data={"language": "vinschgerisch"})
    made = client.post("/api/tables", json={"watten": 1, "rules": "bayern"}).json
    assert "gült" in client.get(f"/t/{made['scorer']}").text


SPEAKS = {"Cookie": "language=boarisch"}


def test_dialect_leaves_rules_and_errors(server):
    table = server.table(sides=NAMED, played=[{**WON, "stake": 7}])
    key = table["scorer"]
    pad = server.page(f"/t/{key}", **SPEAKS).html
    for word in ("Mia", "grank", "biatn", "guit", "Zruck", "Rundn 2", '<html lang="de"'):
        assert word in pad, word
    no_more_raises = read(FOLDER / "boarisch.toml").words["kein Bieten mehr"]
    assert no_more_raises in pad
    assert "krank" not in pad and "Wir" not in pad
    board = server.page(f"/b/{table['viewer']}", **SPEAKS).html
    assert "grank" in board and "Schiri" in board
    form = [("token", "t"), ("seq", "1"), ("event", '{"do":"gehen","side":0}')]
    refusals = [
        server.submit_refused(f"/t/{key}/events", form, **language)
        .one(role="alert", data_code=True)
        .text
        for language in (SPEAKS, {})
    ]
    in_dialect, in_german = (text.partition(".")[0] for text in refusals)
    assert in_dialect == in_german
    for path in (f"/b/{key}/rules", "/rules"):
        assert "grank" not in server.page(path, **SPEAKS).html
    german = server.page(f"/t/{key}", Cookie="language=de").html
    assert "grank" not in german and "krank" in german


def test_start_page_menu_and_share_page_use_the_dialect(server):
    """Side names in dialect are hints on the start page and are not recorded."""
    key = server.table(sides=NAMED)["scorer"]
    for path, word in (("/", "start"), (f"/t/{key}/menu", "menu"), (f"/t/{key}/share", "menu")):
        words = [read(FOLDER / "boarisch.toml").words[german] for german in vocabulary()[word]]
        page = server.page(path, **SPEAKS).html
        assert sum(said in page for said in words) > 3, path
    assert not any(
        field["value"] for field in server.page("/", **SPEAKS).all("input", name="side0")
    )


def test_evening_in_german_is_not_shown_to_who_reads_a_dialect(server):
    """The page is cached for each language and dialect."""
    path = f"/b/{server.table(sides=NAMED, played=[WON])['viewer']}/history"
    german, in_dialect = (
        server.page(path, Cookie=f"language={code}").html for code in ("de", "boarisch")
    )
    assert "Runde" in german and "Rundn" not in german and "Rundn" in in_dialect


def test_streams_use_the_dialect_of_each_phone(server):
    table = server.table("bayern", sides=NAMED, played=[WON])
    for cookie, word in (("boarisch", "Rundn 2"), ("suedtirolerisch", "Rund 2"), ("de", "Runde 2")):
        for path in (f"/t/{table['scorer']}/stream", f"/b/{table['viewer']}/stream"):
            with server.watch(path, Cookie=f"language={cookie}") as watch:
                assert word in watch.next()["data"]


def test_dialect_page_shows_each_word(server):
    page = unescape(server.request("GET", "/dialects")[2])
    for path in SHIPPED:
        dialect = read(path)
        assert dialect.name in page
        assert all(readable(said) in page for said in dialect.words.values())
    table = re.search(r"<table.*</table>", page, re.DOTALL)[0]
    assert re.findall(r"%\(|[{}|]", table) == []
