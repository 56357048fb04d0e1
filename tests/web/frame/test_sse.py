"""Live updates as server-sent events."""

import zlib

from tests.builders import WON


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
