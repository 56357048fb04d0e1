"""Who watches hears of whatever anybody writes."""

from contextlib import closing

from scorer.book.live import Hub
from scorer.store import Opening
from scorer.store.sqlite import SqliteStore


class Overtaken(SqliteStore):
    """A store into which another process writes before the first look at what changed."""

    def changes(self):
        if not self.length(self.stream_of_test):
            with closing(SqliteStore(self.path)) as other:
                other.append(self.stream_of_test, {"do": "x"}, key="1", by="other")
        return super().changes()


def test_what_is_written_while_the_first_watcher_comes_is_told(tmp_path):
    with closing(Overtaken(tmp_path / "x.db")) as store:
        stream = store.stream_of_test = store.create("table", Opening({}, {})).id
        assert Hub(store).wait({stream: 0}, timeout=60)
