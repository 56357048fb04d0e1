"""Live updates as server-sent events."""

import zlib

from tests.builders import WON


def test_packed_stream_is_timely_and_small(server):
    keys = server.table()
    path = f"/b/{keys['viewer']}/stream"
    plain, packed = server.watch(path), server.watch(path, Accept_Encoding="gzip")
    assert packed.answer.headers["Content-Encoding"] == "gzip"
    assert "Content-Encoding" not in plain.answer.headers
    unpacking = zlib.decompressobj(wbits=zlib.MAX_WBITS + 16)
    for number in range(3):
        told, sent = "", 0
        while not (told.endswith("\n\n") and "event:" in told):
            piece = packed.answer.read1()
            told, sent = told + unpacking.decompress(piece).decode(), sent + len(piece)
        assert f"id: {number}\n" in told
        assert plain.next()["data"].replace("\n", "\ndata: ") in told
        assert sent < len(told.encode()) / 2
        server.write(keys["scorer"], WON, str(number))
    plain.close()
    packed.close()
