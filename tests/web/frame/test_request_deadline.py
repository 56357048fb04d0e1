"""A request with several transactions waits for other writers once."""

from scorer.web import create_app


def test_request_has_one_deadline_for_all_waits(tmp_path):
    app = create_app({"DATABASE": str(tmp_path / "x.db")})
    store = app.extensions["tables"].store

    @app.get("/until")
    def until():
        found = []
        for _ in range(2):
            with store.waiting() as until:
                found.append(until)
        return found

    first, second = (app.test_client().get("/until").json for _ in range(2))
    assert (len(set(first)), len(set(second))) == (1, 1)
    assert first[0] < second[0]
