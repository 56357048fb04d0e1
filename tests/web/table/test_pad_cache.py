"""Cached parts of the pad never show another table's names."""

from hypothesis import given
from hypothesis import strategies as st

from scorer.book.tables import Table
from scorer.web.frame.language import request_in
from scorer.web.table import pad
from scorer.web.table.pad_cache import side_html
from scorer.web.table.table_view import TableView
from tests.engine.strategies import evenings

NAMES = ["", "Wir", "wir", "Die", "Anna & Bert", "Gast (2)", "<b>&", '"', "שלום", "ابتسام"]
NAMES += ["\ue001", "\ue000\ue011"]


@given(evenings(most=20), st.data(), st.sampled_from(("de", "it", "fr", "en", "boarisch")))
def test_cached_columns_match_a_fresh_rendering(app, evening, data, language):
    for _ in range(2):
        names = [data.draw(st.sampled_from(NAMES)) for _ in evening.state.points]
        sides = [{"name": name, "players": []} for name in names]
        evening.push({"do": "sitzordnung", "sides": sides})
        with request_in(app, language):
            view = TableView(Table("", {}, evening, []), says_we=data.draw(st.booleans()))
            own = app.jinja_env.get_template("table/writer/_side_buttons.html").module
            assert side_html(view) == {
                column.side: (own.answers(column), own.strikes(column), own.pad_column(column))
                for column in pad.pad_columns(view)
            }


@given(evenings(most=20))
def test_quick_win_buttons_have_distinct_gains(app, evening):
    with request_in(app, "de"):
        for column in pad.pad_columns(TableView(Table("", {}, evening, []))):
            gains = [button.gain for button in column.raised_wins]
            if len(column.wins) == 1:
                gains.append(column.wins[0].gain)
            assert len(gains) == len(set(gains))
