"""Archives are extracted completely, on every supported Python, and only into their folder."""

import io
import os
import shutil
import subprocess
import sys
import tarfile
from pathlib import Path

import pytest

from scorer.pocket.archive_files import UnsafePath, unpack_tar

ROOT = Path(__file__).parent.parent.parent
RECENT = "import sys; sys.exit(sys.version_info < (3, 11))"


def machines_python():
    """The system's Python in a list, or [] if there is none or it is too old."""
    found = shutil.which("python3", path="/usr/bin:/bin:/usr/local/bin")
    if found and subprocess.run([found, "-c", RECENT]).returncode == 0:
        return [found]
    return []


PYTHONS = [sys.executable, *machines_python()]
# Reduces tarfile to what it was before Python 3.11.4.
OLD = """
import sys, tarfile
from pathlib import Path

def older(method, *names):
    def call(self, *given, **named):
        if named.keys() - set(names):
            raise TypeError(f"unexpected keyword arguments {sorted(named)}")
        return method(self, *given, **named)
    return call

tarfile.TarFile.extractall = older(tarfile.TarFile.extractall, "path", "members", "numeric_owner")
tarfile.TarFile.extract = older(tarfile.TarFile.extract, "member", "path", "set_attrs")
for name in [name for name in vars(tarfile) if name.endswith("_filter")]:
    delattr(tarfile, name)
"""
UNPACK = """
from scorer.pocket.archive_files import unpack_tar
unpack_tar(Path(sys.argv[1]), Path(sys.argv[2]))
"""


def write_archive(path, *members):
    with tarfile.open(path, "w:gz") as archive:
        for name, kind, content in members:
            member, is_file = tarfile.TarInfo(name), kind == tarfile.REGTYPE
            data = content.encode() if is_file else b""
            member.type, member.size = kind, len(data)
            member.linkname = "" if is_file else content
            archive.addfile(member, io.BytesIO(data))
    return path


@pytest.mark.parametrize("before", [OLD, "import sys\nfrom pathlib import Path\n"])
@pytest.mark.parametrize("python", PYTHONS)
def test_every_python_unpacks_all_files(tmp_path, python, before):
    texts = {f"package/{'deep/' * n}{n}.js": f"// {n}" * n for n in range(20)}
    members = [(name, tarfile.REGTYPE, text) for name, text in texts.items()]
    archive = write_archive(tmp_path / "x.tgz", ("package", tarfile.DIRTYPE, ""), *members)
    command = [python, "-c", before + UNPACK, archive, tmp_path / "out"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")
    out = tmp_path / "out"
    files = {path for path in out.rglob("*") if path.is_file()}
    assert {str(path.relative_to(out)): path.read_text() for path in files} == texts


@pytest.mark.parametrize("name", ["../beside", "package/../../beside", "/{tmp}/beside", "a/../.."])
def test_paths_outside_the_folder_are_refused(tmp_path, name):
    name = name.format(tmp=tmp_path)
    members = [("package/good.js", tarfile.REGTYPE, "good"), (name, tarfile.REGTYPE, "bad")]
    archive = write_archive(tmp_path / "x.tgz", *members)
    with pytest.raises(UnsafePath):
        unpack_tar(archive, tmp_path / "out")
    assert os.listdir(tmp_path) == ["x.tgz"]


@pytest.mark.parametrize("kind", [tarfile.SYMTYPE, tarfile.LNKTYPE, tarfile.FIFOTYPE])
def test_nothing_is_written_through_a_link(tmp_path, kind):
    beside = tmp_path / "beside"
    beside.mkdir()
    members = [("way", kind, str(beside)), ("way/in", tarfile.REGTYPE, "bad")]
    unpack_tar(write_archive(tmp_path / "x.tgz", *members), tmp_path / "out")
    assert list(beside.iterdir()) == []
    assert not (tmp_path / "out" / "way").is_symlink()
