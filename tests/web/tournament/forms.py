"""A tournament that is created and run by its forms."""

import io
import re
import zipfile
from itertools import count

from tests.pages import Page

WON = [[15, 8], [12, 15], [15, 3]]
FOUR = [*WON, [15, 0]]
"""A result of four games, 3:1."""
_TOKENS = count()


def post(server, path, form, **headers):
    status, answer, text = server.request("POST", path, form, Accept_Language="de", **headers)
    return status, answer.get("location", ""), Page(text)


def fields(token="", **form):
    """The fields of a form; a list gives several of one name. A new token if none is given."""
    values = {"token": token or f"token {next(_TOKENS)}", **form}
    several = {n: v if isinstance(v, (list, tuple)) else [v] for n, v in values.items()}
    return [(name, str(value)) for name, given in several.items() for value in given]


def send(server, path, form=(), **more):
    """Send a form, which is accepted; return the redirect's address."""
    status, where, text = post(server, path, form or fields(**more))
    assert status == 303, text
    return where


def refusal_page(server, path, form=(), **more):
    """The page that refuses a form."""
    status, _, text = post(server, path, form or fields(**more))
    assert status == 422, text
    return text


def upload(server, path, data, token="t", take="1", name="p.csv"):
    edge = "----edge"
    field = f"--{edge}\r\nContent-Disposition: form-data; name="
    head = f'{field}"token"\r\n\r\n{token}\r\n{field}"take"\r\n\r\n{take}\r\n'
    head += f'{field}"file"; filename="{name}"\r\n\r\n'
    body = head.encode() + data + f"\r\n--{edge}--\r\n".encode()
    return post(server, path, body, Content_Type=f"multipart/form-data; boundary={edge}")


def enter_pairs(server, director, lines):
    """Enter pairs as a list, one pair a line."""
    send(server, f"/p/{director}/pairs/list", list=lines, take=1)


def visitor_and_signup_keys(server, director):
    text = server.page(f"/p/{director}/links")
    return re.findall(r'class="url"><a href="[^"]*/p/(\w+)"', text)[:2]


def pair_keys(server, director, table=1):
    """The keys of a table's two pairs: scorer and opponent."""
    text = server.page(f"/p/{director}/match/1/{table}")
    scorer, opponent = re.findall(r'class="url"><a href="[^"]*/e/(\w+)"', text)
    return scorer, opponent


def boxes(games, token="r", **more):
    points = [(s, str(p)) for game in games for s, p in zip("ab", game, strict=True)]
    return [("token", token), *points, *more.items()]


def workbook(rows):
    """The bytes of an .xlsx workbook whose only sheet has these rows."""
    return sheet("".join(f"<row>{''.join(map(_cell, row))}</row>" for row in rows))


def _cell(value):
    if isinstance(value, int):
        return f"<c><v>{value}</v></c>"
    return f'<c t="inlineStr"><is><t>{value}</t></is></c>'


def sheet(cells):
    """The bytes of an .xlsx workbook whose only sheet has these rows, given as XML."""
    name = "http://schemas.openxmlformats.org"
    parts = {
        "[Content_Types].xml": f'''<Types xmlns="{name}/package/2006/content-types">
            <Default Extension="rels"
              ContentType="application/vnd.openxmlformats-package.relationships+xml"/>
            <Default Extension="xml" ContentType="application/xml"/></Types>''',
        "_rels/.rels": f'''<Relationships xmlns="{name}/package/2006/relationships">
            <Relationship Id="r1" Target="xl/workbook.xml"
              Type="{name}/officeDocument/2006/relationships/officeDocument"/></Relationships>''',
        "xl/workbook.xml": f'''<workbook xmlns="{name}/spreadsheetml/2006/main"
            xmlns:r="{name}/officeDocument/2006/relationships">
            <sheets><sheet name="A" sheetId="1" r:id="r1"/></sheets></workbook>''',
        "xl/_rels/workbook.xml.rels": f'''<Relationships
            xmlns="{name}/package/2006/relationships">
            <Relationship Id="r1" Target="worksheets/sheet1.xml"
              Type="{name}/officeDocument/2006/relationships/worksheet"/></Relationships>''',
        "xl/worksheets/sheet1.xml": f'''<worksheet xmlns="{name}/spreadsheetml/2006/main">
            <sheetData>{cells}</sheetData></worksheet>''',
    }
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for path, text in parts.items():
            archive.writestr(path, f'<?xml version="1.0" encoding="UTF-8"?>{text}')
    return file.getvalue()
