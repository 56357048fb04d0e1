"""How parts become a bundle, without building any."""

import json
import os
from pathlib import Path

import pytest

from scorer.doctor import examine
from scorer.pocket import bundle
from scorer.pocket.command import RETRY_SECONDS
from scorer.web.pocket import bundle_files
from tests.commands import bummerl


def test_changed_part_is_a_new_version(tmp_path):
    made, out = tmp_path / "made", tmp_path / "out"
    made.mkdir()
    versions = []
    for text in ("old", "new"):
        (made / "service.js").write_text(text)
        version = bundle.build(made, out)["version"]
        # Browsers check whether this script has changed.
        assert (out / "sw.js").read_text() == f'import "./pocket/{version}/service.js";\n'
        assert version in (out / version / "bundle.js").read_text()
        versions.append(version)
    assert versions[0] != versions[1]
    assert not (out / versions[0]).exists()


# Without a network

OFFLINE = "#!/bin/sh\necho asked >> {calls}\necho 'npm error code EAI_AGAIN' >&2\nexit 1\n"
SLOW = "#!/bin/sh\necho asked >> {calls}\nexec sleep 600\n"


@pytest.fixture(params=[OFFLINE, SLOW], ids=["none", "hangs"])
def npm(tmp_path, monkeypatch, request):
    """An npm that reaches no registry. The value is a function that counts its calls."""
    monkeypatch.setattr(bundle, "ANSWER_SECONDS", 0.1)
    monkeypatch.chdir(tmp_path)
    calls, tool = tmp_path / "calls", tmp_path / "bin" / "npm"
    calls.touch()
    tool.parent.mkdir()
    tool.write_text(request.param.format(calls=calls))
    tool.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tool.parent}:{os.environ['PATH']}")
    return lambda: len(calls.read_text().splitlines())


def test_unreachable_registry_is_retried_after_an_hour(npm):
    doing, missing = bummerl("pocket", "--optional").stdout.decode().splitlines()
    assert "..." in doing
    assert "network" in missing
    assert npm() == 1
    # The next start prints the same line without waiting.
    again = bummerl("pocket", "--optional").stdout.decode()
    assert again.startswith(missing)
    assert "make pocket" in again
    assert npm() == 1
    # An explicit command tries again, and so does a start an hour later.
    bummerl("pocket", status=1)
    assert npm() == 2
    failed = Path("instance", "parts", "unreachable")
    before = failed.stat().st_mtime - RETRY_SECONDS
    os.utime(failed, (before, before))
    bummerl("pocket", "--optional")
    assert npm() == 3


def test_missing_npm_is_reported_on_each_start(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PATH", "/nowhere")
    for _ in range(2):
        assert "npm" in bummerl("pocket", "--optional").stdout.decode()
        assert not Path("instance", "parts", "unreachable").exists()


# Which bundle a server offers


@pytest.mark.parametrize("fresh", ["built", "carried", "neither"])
def test_bundle_of_this_release_is_preferred(tmp_path, monkeypatch, fresh):
    """A bundle of this release wins. Doctor warns if there are only others."""
    places = {"built": tmp_path / "instance" / "pocket", "carried": tmp_path / "served"}
    for name, place in places.items():
        place.mkdir(parents=True)
        app = bundle_files.app_digest() if name == fresh else "another"
        (place / bundle_files.MANIFEST).write_text(json.dumps({"version": name, "app": app}))
    monkeypatch.setattr(bundle_files, "WHEEL_BUNDLE", places["carried"])
    monkeypatch.delenv("BUMMERL_POCKET", raising=False)
    monkeypatch.chdir(tmp_path)
    offered = bundle_files.folder(tmp_path / "instance")
    assert offered == places["built" if fresh == "neither" else fresh]
    findings = {one.text.partition(":")[0]: one.is_ok for one in examine(str(tmp_path / "x.db"))}
    shown = offered if fresh == "carried" else offered.relative_to(tmp_path)
    assert findings[str(shown)] is (fresh != "neither")
