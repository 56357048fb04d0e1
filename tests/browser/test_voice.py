"""The phone speaks the score: the server's sentence, in its language."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.taps import tap, win

# Records each sentence that is given to the phone's voice, which still speaks it.
LISTEN = """() => {
  window.said = [];
  const speak = speechSynthesis.speak.bind(speechSynthesis);
  speechSynthesis.speak = (utterance) => {
    window.said.push([utterance.text, utterance.lang]);
    speak(utterance);
  };
}"""
SIDES = [{"name": "Wir"}, {"name": "Die"}]


def expect_spoken(page, *expected):
    """Wait until the voice's last sentence has this text and language."""
    page.wait_for_function(
        "([text, lang]) => window.said.length && window.said.at(-1).join() === `${text},${lang}`",
        arg=list(expected),
    )
    assert page.locator("[data-spoken]").get_attribute("data-spoken") == expected[0]


def open_page_recording_speech(phone, **options):
    page = phone(**options)
    page.add_init_script(f"({LISTEN})()")
    return page


@pytest.mark.slow
def test_the_pad_speaks_when_switched_on(phone, server):
    table = server.table("oberoesterreich", sides=SIDES)
    page = open_page_recording_speech(phone)
    page.goto(f"/t/{table['scorer']}")
    win(page, 0)
    expect(page.locator(".sum").first).to_have_text("2")
    assert page.evaluate("window.said") == []
    page.get_by_role("link", name="Menü").click()
    page.get_by_role("button", name=re.compile("Spielstand ansagen")).click()
    expect_spoken(page, "Wir 2, Die 0", "de")
    server.write(table["scorer"], {"do": "gewinnt", "side": 0, "stake": 5}, "1")
    expect_spoken(page, "Wir 7, krank, Die 0", "de")
    tap(page.get_by_role("button", name=re.compile("3 bieten")))
    expect_spoken(page, "Wir 7, krank, Die 0; Die bieten 3; Wir: Bleibts?", "de")
    # Returning to the pad is no news, so the phone says nothing.
    page.get_by_role("link", name="Menü").click()
    page.get_by_role("link", name=re.compile("Zurück zum Tisch")).click()
    expect(page.locator(".tap").first).to_be_visible()
    assert page.evaluate("window.said") == []
    page.get_by_role("link", name="Menü").click()
    page.get_by_role("button", name=re.compile("Spielstand ansagen")).click()
    assert page.locator("script[src*='voice']").count() == 0


def test_the_board_speaks_the_phones_language(phone, server):
    table = server.table("suedtirol", sides=[{"name": "Anna"}, {"name": "Bert"}])
    page = open_page_recording_speech(phone, locale="it-IT")
    page.goto(f"/b/{table['viewer']}")
    page.get_by_role("button", name=re.compile("ad alta voce")).click()
    expect_spoken(page, "Anna 0, Bert 0", "it")
    server.write(table["scorer"], {"do": "gewinnt", "side": 0, "stake": 16}, "1")
    expect_spoken(page, "Anna 16, gestrichen, Bert 0; Anna: Tenete?", "it")
