"""Live updates as server-sent events."""

import zlib

import pytest

from tests.browser.positions import EVENINGS, NAMED, table
from tests.builders import WON

PROPOSALS = {
    role: {"do": "vorschlag", "side": side, "of": 0, "with": {**WON, "side": 1}}
    for side, role in enumerate(("scorer", "opponent"))
}


def first_message(server, path):
    with server.watch(path) as watch:
        return watch.next()


@pytest.mark.parametrize("position", EVENINGS)
def test_every_position_is_streamed_to_everybody(server, position):
    keys = table(server, position, NAMED)
    paths = [f"/t/{keys['scorer']}", *(f"/b/{keys[role]}" for role in ("opponent", "viewer"))]
    for path in paths:
        assert f'data-seq="{server.seq(keys["scorer"])}"' in first_message(
            server, f"{path}/stream"
        ).get("data", "")


@pytest.mark.parametrize("proposer", PROPOSALS)
def test_proposal_is_streamed_to_everybody(server, proposer):
    keys = server.table(played=[WON, WON])
    assert server.write(keys[proposer], PROPOSALS[proposer], "proposal")[0] == 201
    for path in (f"/t/{keys['scorer']}", f"/b/{keys['opponent']}", f"/b/{keys['viewer']}"):
        assert "data-proposal" in first_message(server, f"{path}/stream").get("data", "")


def test_compressed_stream_is_timely_and_small(server):
    keys = server.table()
    path = f"/b/{keys['viewer']}/stream"
    plain, packed = server.watch(path), server.watch(path, Accept_Encoding="gzip")
    assert packed.answer.headers["Content-Encoding"] == "gzip"
    assert "Content-Encoding" not in plain.answer.headers
    unpacking = zlib.decompressobj(wbits=zlib.MAX_WBITS + 16)
    for number in range(3):
        text, sent = "", 0
        while not (text.endswith("\n\n") and "event:" in text):
            piece = packed.answer.read1()
            text, sent = text + unpacking.decompress(piece).decode(), sent + len(piece)
        assert f"id: {number}\n" in text
        assert plain.next()["data"].replace("\n", "\ndata: ") in text
        assert sent < len(text.encode()) / 2
        server.write(keys["scorer"], WON, str(number))
    plain.close()
    packed.close()
