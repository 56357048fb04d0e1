"""Lists of pairs in the formats that clubs use."""

import pytest

from scorer.book.spreadsheet_import import no_workbook_text
from scorer.engine import Unreadable
from scorer.tournament import read_settings
from scorer.tournament.pair_import import decode_file, read_list
from scorer.tournament.pairs import MAX_PAIRS, Pair


@pytest.mark.parametrize(
    "text",
    [
        "Anna;Bert;Ranshofen\n\nCilli;Döra",
        "Anna\tBert\tRanshofen\r\nCilli\tDöra\r\n",
        "Anna,Bert,Ranshofen\n  \n;;\nCilli,Döra,\n",
        "\ufeffSpieler 1;Spieler 2;Verein\nAnna;Bert;Ranshofen\nCilli;Döra;",
        "Verein;Spieler 2;Spieler 1\nRanshofen;Bert;Anna\n;Döra;Cilli",
        '"Anna";"Bert";"Ranshofen"\n"Cilli";"Döra"',
        "Joueur 1;Joueur 2;Lieu/Club\nAnna;Bert;Ranshofen\nCilli;Döra;",
        "No;Joueur;Partenaire;Lieu\n7;Anna;Bert;Ranshofen\n9;Cilli;Döra;",
        "Name 1;Name 2;Verein\nAnna;Bert;Ranshofen\nCilli;Döra;",
        "N.;Giocatore 1;Giocatore 2;Paese\n7;Anna;Bert;Ranshofen\n9;Cilli;Döra;",
    ],
)
def test_list_is_read_with_any_column_layout(text):
    pairs = read_list(text).pairs
    assert [pair.players for pair in pairs] == [("Anna", "Bert"), ("Cilli", "Döra")]
    assert [pair.club for pair in pairs] == ["Ranshofen", ""]
    assert [pair.name for pair in pairs] == ["Anna & Bert", "Cilli & Döra"]


SEPARATORS = [" & ", "&", "/", " / ", "+", " und ", " and ", " et ", " e ", " - ", " – "]
NUMBERINGS = ["", "{}. ", "{}.", "{}) ", "{}.) ", "{};", "{}.;", "{}\t"]
CLUBS = ["", "SV Au", "SpVgg Au/Moos"]


@pytest.mark.parametrize("between", SEPARATORS)
@pytest.mark.parametrize("numbering", NUMBERINGS)
@pytest.mark.parametrize("club", CLUBS)
def test_two_names_in_one_cell_are_split(between, numbering, club):
    lines = [
        f"{numbering.format(number)}{between.join(names)}{club and f'{comma}{club}'}"
        for number, (*names, comma) in enumerate(
            [("Hans-Peter", "Bert", ", "), ("Müller Ö.", "Anna", ";"), ("Ida", "Max", "\t")], 1
        )
    ]
    pairs = read_list("\n".join(lines)).pairs
    assert [pair.name for pair in pairs] == ["Hans-Peter & Bert", "Müller Ö. & Anna", "Ida & Max"]
    assert [pair.players[0] for pair in pairs] == ["Hans-Peter", "Müller Ö.", "Ida"]
    assert {pair.club for pair in pairs} == {club}


@pytest.mark.parametrize("name", ["Hans-Peter", "1. FC Au", "Die 3", "A & B & C", "Alt &"])
def test_other_names_stay_whole(name):
    assert read_list(f"{name}\nAnna;Bert").pairs[0] == Pair(name)


def test_lines_of_players_among_lines_of_pairs_are_read_each_for_itself():
    imported = read_list(
        "Anna / Bert; SV Au\nCilli; Dora; FF Weibern\nEmil & Ida\nGustl; Hias\n"
        "Lisa; Mia; FF Au; Damen\nOtto & Paul; SV Au\nRosa / Sepp"
    )
    assert [pair.players for pair in imported.pairs] == [
        ("Anna", "Bert"),
        ("Cilli", "Dora"),
        ("Emil", "Ida"),
        ("Gustl", "Hias"),
        ("Lisa", "Mia"),
        ("Otto", "Paul"),
        ("Rosa", "Sepp"),
    ]
    assert [pair.club for pair in imported.pairs][:5] == ["SV Au", "FF Weibern", "", "", "FF Au"]
    assert [pair.category for pair in imported.pairs if pair.category] == ["Damen"]


def test_number_before_some_lines_is_left_out():
    pairs = read_list("1. Anna & Bert\n2) Cilli - Dora, SV Au\nEmil/Ida - SV Au").pairs
    assert [pair.name for pair in pairs] == ["Anna & Bert", "Cilli & Dora", "Emil & Ida"]
    assert [pair.club for pair in pairs] == ["", "SV Au", "SV Au"]


def test_number_that_comes_twice_is_left_out_of_a_numbered_list():
    pairs = read_list("1. Anna & Bert\n2. Cilli & Dora\n2) Emil & Ida\nGustl & Hias").pairs
    assert [pair.name for pair in pairs][2:] == ["Emil & Ida", "Gustl & Hias"]


def test_pairs_of_one_name_and_two_clubs_are_told_apart():
    taken = {"Cilli & Dora": "SV Au"}
    lines = "Anna;Bert;FF Au\nAnna;Bert;FF Weibern\nAnna;Bert;ff au\nCilli;Dora;\nCilli;Dora;FF Au"
    imported = read_list(lines, taken)
    names = [pair.name for pair in imported.pairs]
    assert names == ["Anna & Bert", "Anna & Bert (FF Weibern)", "Cilli & Dora (FF Au)"]
    assert imported.known == ("Anna & Bert", "Cilli & Dora")


def test_player_named_von_und_zu_is_not_split():
    assert read_list("Freiherr von und zu Au;Bert").pairs[0].players[1] == "Bert"


def test_two_long_names_in_one_cell_are_shortened():
    players = ("Hinterberger-Oberneder Maximiliane", "Schwarzenegger Leopold Alexander")
    [pair] = read_list(" & ".join(players)).pairs
    assert pair.players == players
    assert pair.name == "Hinterberger-Oberneder M. & Schwarzenegger L. A."


def test_each_line_may_use_its_own_separator():
    pairs = read_list("Anna\tBert\nCilli; Dora; Ötz\nEmil, Fanny\nGustl / Hias").pairs
    assert [len(pair.players) for pair in pairs] == [2, 2, 2, 2]


def test_pair_name_column_applies_to_every_line():
    pairs = read_list("Die Zwei;Anna;Bert;Ötz\nDie Drei;Cilli;Dora;\nEmil & Fanny").pairs
    assert [pair.name for pair in pairs] == ["Die Zwei", "Die Drei", "Emil & Fanny"]
    assert pairs[1].players == ("Cilli", "Dora")


SPLIT_NAMES = [
    "Nom;Prénom;Nom;Prénom",
    "Nom 1;Prénom 1;Nom 2;Prénom 2",
    "Name;Vorname;Name;Vorname",
]


@pytest.mark.parametrize("heads", [*SPLIT_NAMES, "Nachname 1;Vorname 1;Nachname 2;Vorname 2"])
def test_surname_and_first_name_columns_are_joined(heads):
    pair = read_list(f"{heads}\nHuber;Anna;Öller;Bert").pairs[0]
    assert pair.players == ("Huber Anna", "Öller Bert")


SINGLES = [(("Huber Anna",), "Ötz"), (("Moser Bert",), "")]


def test_single_player_name_columns_are_joined():
    pairs = read_list("Nom;Prénom;Club\nHuber;Anna;Ötz\nMoser;Bert;").pairs
    assert [(pair.players, pair.club) for pair in pairs] == SINGLES


def test_line_with_one_name_has_no_players():
    assert read_list("Die Unschlagbaren").pairs[0].players == ()


def test_pair_name_and_lots_are_read_from_columns():
    pairs = read_list("Paar;Spieler 1;Spieler 2;Verein;Lose\nDie Zwei;Anna;Bert;;3").pairs
    assert (pairs[0].name, pairs[0].entries) == ("Die Zwei", 3)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "latin-1", "cp1252"])
def test_umlauts_are_decoded_in_every_encoding(encoding):
    assert decode_file("Jürgen;Bäda".encode(encoding), no_workbook_text) == "Jürgen;Bäda"


def test_too_long_list_is_refused():
    with pytest.raises(Unreadable) as refusal:
        read_list("\n".join(f"Paar {n}" for n in range(MAX_PAIRS + 2)))
    assert (refusal.value.where, refusal.value.values) == ("list", {"most": MAX_PAIRS})


@pytest.mark.parametrize(
    "text",
    ["Anna;Bert\nA;B;C;D;E;F;G", "Paar;Lose\nA;viele", "Paar;Lose\nA;99", f"A;B\n{'x' * 70};y"],
)
def test_invalid_line_is_named_in_the_error(text):
    with pytest.raises(Unreadable) as refusal:
        read_list(text)
    assert refusal.value.where == "line 2"


def test_known_pairs_are_skipped():
    read = read_list("Anna;Bert\n\nCilli;Dora\nanna;bert\nCilli;Dora", {"Anna & Bert": ""})
    assert [pair.name for pair in read.pairs] == ["Cilli & Dora"]
    assert read.known == ("Anna & Bert", "anna & bert", "Cilli & Dora")


@pytest.mark.parametrize(
    "title", ["Preiswatten 2026", "Preiswatten;;\nFF Ranshofen;;5280", "\n;\nListe"]
)
def test_title_above_headings_is_ignored(title):
    read = read_list(f"{title}\nNr;Spieler 1;Spieler 2\n1;Anna;Bert\n2;Cilli;Dora")
    assert [pair.name for pair in read.pairs] == ["Anna & Bert", "Cilli & Dora"]
    assert read.ignored


@pytest.mark.parametrize(
    "heads", ["", "Name;Verein\n", "Spieler;Verein\n", "Verein 2026\n\nName;Ort\n"]
)
def test_list_of_single_players_is_read(heads):
    pairs = read_list(f"{heads}Huber Anna;Ötz\nMoser Bert;", singles=True).pairs
    assert [(pair.players, pair.club) for pair in pairs] == SINGLES


@pytest.mark.parametrize("text", ["", "\n\n", ";;;\n", "\ufeff"])
def test_empty_list_gives_no_pairs(text):
    assert read_list(text).pairs == []


GOOD = {"name": "T", "rules": "bayern", "pairs": []}


@pytest.mark.parametrize(
    ("change", "where"),
    [
        ({"name": " "}, "name"),
        ({"rules": "tirol"}, "rules"),
        ({"set": {"target": 1}}, "set.target"),
        ({"rounds": 0}, "rounds"),
        ({"games_per_round": "3"}, "games_per_round"),
        ({"ranking": []}, "ranking"),
        ({"ranking": ["won", "won"]}, "ranking[1]"),
        ({"ranking": ["luck"]}, "ranking[0]"),
        ({"pairs": [{"name": "A"}, {"name": "A"}]}, "pairs[1].name"),
        ({"pairs": [{"name": ""}]}, "pairs[0].name"),
        ({"pairs": [{"name": "A", "players": ["B", "C", "D"]}]}, "pairs[0].players"),
        ({"pairs": [7]}, "pairs[0]"),
        ({"seed": []}, "seed"),
        ({"format": "swiss"}, "format"),
        ({"scoring": {"luck": 1}}, "scoring.luck"),
        ({"scoring": {"win": -1}}, "scoring.win"),
        ({"finals": {"best": 3}}, "finals.best"),
        ({"finals": {"games": None}}, "finals.games"),
        ({"finals": {"games": 0}}, "finals.games"),
        ({"finals": {"target": 1}}, "finals.target"),
        ({"finals": {"target": 999}}, "finals.target"),
        ({"decider": 2}, "decider"),
        ({"decider": 5, "set": {"near": 6}}, "decider"),
        ({"groups": {"count": 0}}, "groups.count"),
        ({"groups": {"best": None}}, "groups.best"),
        ({"scoring": {"win": None}}, "scoring.win"),
        ({"scoring": {"win_own": 1}}, "scoring.win_own"),
        ({"preset": []}, "preset"),
        ({"pairs": [{"name": f"P{n}", "entries": 16} for n in range(33)]}, "pairs"),
        ({"preset": "fun"}, "preset"),
        ({"fun": 1}, "fun"),
    ],
)
def test_invalid_setting_names_its_field(change, where):
    with pytest.raises(Unreadable) as refusal:
        read_settings({**GOOD, **change})
    assert refusal.value.where == where
