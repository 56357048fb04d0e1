"""An app in a folder of an address links only into that folder, apart from other apps there."""

from urllib.parse import urlsplit

import pytest

from scorer.web import create_app
from tests.browser.positions import VARIED, written
from tests.pages import Page
from tests.sampling import mostly_slow, slow
from tests.serving import InProcessClient

FOLDER = "/club/watten"
ADDRESSES = {"href", "src", "action", "formaction", "sse-connect", "hx-get", "hx-post"}
ADDRESSES |= {"data-following", "data-attempt-url"}


@pytest.fixture(scope="module", params=["kept", *slow("removed")])
def server(request, tmp_path_factory):
    """The app behind a proxy that keeps the folder in paths, or removes it."""
    config = {"DATABASE": str(tmp_path_factory.mktemp("mounted") / "x.db"), "RATE_LIMITS": False}
    app = create_app({**config, "PUBLIC_URL": f"https://club.example{FOLDER}/"})
    return Behind(app, FOLDER if request.param == "kept" else "")


class Behind(InProcessClient):
    def __init__(self, app, folder):
        super().__init__(app)
        self.folder = folder

    def send_request(self, method, path, body, headers):
        return super().send_request(method, self.folder + path.removeprefix(FOLDER), body, headers)


def addresses(page):
    """Each attribute of a page that holds an address (also for htmx), and the address."""
    found = [item for element in page.root.find_all(True) for item in element.attrs.items()]
    return [(name, value) for name, value in found if name in ADDRESSES]


def leads_out(address):
    where = urlsplit(address)
    if where.scheme in ("http", "https"):
        ours = where.netloc == "club.example"
        return ours and not where.path.startswith(f"{FOLDER}/")
    return where.path.startswith("/") and not where.path.startswith(f"{FOLDER}/")


@pytest.mark.parametrize(("path", "position"), mostly_slow(VARIED, len(VARIED) // 3))
def test_all_addresses_stay_in_the_folder(server, path, position):
    found = addresses(Page(server.request("GET", path.format(**written(server)[position]))[2]))
    assert found
    assert [pair for pair in found if leads_out(pair[1])] == []


def test_redirects_and_urls_stay_in_the_folder(server):
    status, headers, _ = server.request("POST", "/new", [("rules", "bayern"), ("token", "t")])
    assert status == 303
    assert urlsplit(headers["location"]).path.startswith(f"{FOLDER}/t/")
    assert f"path={FOLDER}" in headers["set-cookie"].replace("Path", "path")
    # The language form redirects to the page on which it was sent.
    form = [("language", "it"), ("back", f"{FOLDER}/rules/bayern?in=de")]
    assert server.request("POST", "/language", form)[1]["location"] == f"{FOLDER}/rules/bayern"
    form = [("language", "it"), ("back", "/elsewhere")]
    assert server.request("POST", "/language", form)[1]["location"] == f"{FOLDER}/"
    _, opened = server.json("POST", "/api/tables", {"watten": 1, "rules": "bayern"})
    urls = [value for name, value in opened.items() if name.endswith("url")]
    assert urls and all(url.startswith(f"https://club.example{FOLDER}/") for url in urls)


def test_folder_redirects_to_the_start_page(server):
    with server.app.test_client() as client:
        answer = client.get(FOLDER)
        assert (answer.status_code, urlsplit(answer.headers["location"]).path) == (
            308,
            f"{FOLDER}/",
        )
        # A path that only begins with the folder's name is not in the folder.
        assert client.get(f"{FOLDER}s/").status_code == 404
