"""The built package contains all the app needs, and serves from an empty folder."""

import re
import shutil
import subprocess
import sys
import sysconfig
import zipfile
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.serving import ADDRESS_LINE, Server

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parent.parent


def _pip(*arguments, python=sys.executable):
    command = [sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check"]
    subprocess.run([*command, "--python", str(python), *map(str, arguments)], cwd=ROOT, check=True)


def _wheel(source, folder):
    """Build a wheel offline with the installed hatchling and Babel, and return its path."""
    _pip("wheel", "--no-index", "--no-deps", "--no-build-isolation", "-w", folder, source)
    return next(folder.glob("*.whl"))


def _contents(wheel):
    with zipfile.ZipFile(wheel) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    return _wheel(ROOT, tmp_path_factory.mktemp("wheel"))


@pytest.fixture(scope="module")
def python(wheel, tmp_path_factory):
    """The Python of a new environment with the wheel and this environment's dependencies."""
    home = tmp_path_factory.mktemp("environment") / "venv"
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", home], check=True)
    python = home / "bin" / "python"
    _pip("install", "--no-index", "--no-deps", wheel, python=python)
    packages = next(home.glob("lib/python*/site-packages"))
    # Only the package folders, because their .pth files lead to the checkout.
    shared = {sysconfig.get_path("purelib"), sysconfig.get_path("platlib")}
    (packages / "dependencies.pth").write_text("\n".join(sorted(shared)))
    return python


def test_wheel_carries_the_whole_package(wheel):
    expected = {
        f"{'' if source == 'scorer' else 'scorer/'}{path.relative_to(ROOT)}"
        for source in ("scorer", "templates", "static")
        for path in (ROOT / source).rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }
    metadata = re.compile(r"bummerl-[^/]+\.dist-info/")
    assert {name for name in _contents(wheel) if not metadata.match(name)} == expected


def test_wheel_includes_the_bundle_from_the_setting(wheel, tmp_path, monkeypatch):
    bundle = tmp_path / "pocket"
    bundle.mkdir()
    (bundle / "bundle.json").write_text('{"version": "0", "files": [], "bytes": 0}')
    monkeypatch.setenv("BUMMERL_WITH_POCKET", str(bundle))
    more = _contents(_wheel(ROOT, tmp_path)).keys() - _contents(wheel).keys()
    assert more == {"scorer/pocket/served/bundle.json"}


def test_wheel_includes_compiled_translations(wheel):
    contents = _contents(wheel)
    for po in (ROOT / "scorer" / "translations").glob("*/LC_MESSAGES/*.po"):
        compiled = contents[str(po.with_suffix(".mo").relative_to(ROOT))]
        assert compiled.startswith(b"\xde\x12\x04\x95")


def test_source_archive_builds_the_same_wheel(wheel, tmp_path):
    command = [sys.executable, "-m", "hatchling", "build", "-t", "sdist", "-d", tmp_path]
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True)
    assert _contents(_wheel(next(tmp_path.glob("*.tar.gz")), tmp_path)) == _contents(wheel)


def test_container_files_build_the_same_wheel(wheel, tmp_path):
    text = (ROOT / "deploy/Containerfile").read_text()
    source = tmp_path / "source"
    source.mkdir()
    for line in re.findall(r"^COPY (.+) \S+$", text, re.MULTILINE):
        for name in line.split():
            copy = shutil.copytree if (ROOT / name).is_dir() else shutil.copyfile
            copy(ROOT / name, source / name)
    assert _contents(_wheel(source, tmp_path)) == _contents(wheel)


@contextmanager
def _serve(python, folder):
    command = [python, "-m", "scorer", "serve", "--host", "127.0.0.1", "--port", "0"]
    command += ["--db", "x.db"]
    process = subprocess.Popen(command, cwd=folder, stdout=subprocess.PIPE, text=True)
    try:
        found = next(filter(None, map(ADDRESS_LINE.search, process.stdout)), None)
        assert found, "the server did not start"
        server = Server(folder / "x.db", process, found[1])
        yield server
        assert server.stop() == 0
    finally:
        process.kill()
        process.wait()
        process.stdout.close()


def test_installed_wheel_serves_pages(python, tmp_path):
    command = [python, "-c", "import scorer; print(scorer.__file__)"]
    where = subprocess.check_output(command, cwd=tmp_path, text=True)
    assert Path(where).is_relative_to(python.parent.parent)
    with _serve(python, tmp_path) as server:
        links = set()
        for path in ("/", f"/t/{server.table()['scorer']}"):
            status, _, page = server.request("GET", path, Accept_Language="de")
            assert status == 200
            assert _speaks_german(page)
            links |= set(re.findall(r'(?:href|src)="(/static/[^"]+)"', page))
        assert {Path(link.partition("?")[0]).suffix for link in links} >= {".css", ".js"}
        found = {link: server.request("HEAD", link)[0] for link in links}
        assert found == dict.fromkeys(links, 200)
    assert (tmp_path / "x.db").is_file()


def _speaks_german(page):
    po = (ROOT / "scorer/translations/de/LC_MESSAGES/messages.po").read_text()
    pairs = re.findall(r'^msgid "(.{8,})"\nmsgstr "(.{8,})"$', po, re.MULTILINE)
    return any(german in page for english, german in pairs if german != english)
