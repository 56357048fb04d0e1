"""A tournament for tests of its pages, opened and run by its forms."""

import re
from html import unescape

WON = [[15, 8], [12, 15], [15, 3]]


def page(server, path, status=200):
    got, _, text = server.request("GET", path, Accept_Language="de")
    assert got == status, text
    return unescape(text)


def post(server, path, form, **headers):
    status, answer, text = server.request("POST", path, form, Accept_Language="de", **headers)
    return status, answer.get("location", ""), unescape(text)


def upload(server, path, data, token="t", take="1", name="p.csv"):
    edge = "----edge"
    parts = (
        f'--{edge}\r\nContent-Disposition: form-data; name="token"\r\n\r\n{token}\r\n'
        f'--{edge}\r\nContent-Disposition: form-data; name="take"\r\n\r\n{take}\r\n'
        f'--{edge}\r\nContent-Disposition: form-data; name="file"; filename="{name}"\r\n\r\n'
    ).encode()
    body = parts + data + f"\r\n--{edge}--\r\n".encode()
    kind = f"multipart/form-data; boundary={edge}"
    return post(server, path, body, Content_Type=kind)


def hall(server, director):
    text = page(server, f"/p/{director}/links")
    return re.findall(r'class="url"><a href="[^"]*/p/(\w+)"', text)[:2]


def seats(server, director, table=1):
    """The writing key of a table and the other pair's."""
    text = page(server, f"/p/{director}/match/1/{table}")
    scorer, opponent = re.findall(r'class="url"><a href="[^"]*/e/(\w+)"', text)
    return scorer, opponent


def boxes(games, token="r", **more):
    return [
        ("token", token),
        *[(s, str(p)) for g in games for s, p in zip("ab", g, strict=True)],
        *more.items(),
    ]
