"""How parts become a bundle, without making any."""

from scorer.pocket import bundle


def test_a_changed_part_is_a_new_version_that_a_browser_notices(tmp_path):
    made, out = tmp_path / "made", tmp_path / "out"
    made.mkdir()
    versions = []
    for text in ("old", "new"):
        (made / "service.js").write_text(text)
        version = bundle.build(made, out)["version"]
        # Browsers look whether this script changed.
        assert (out / "sw.js").read_text() == f'import "./pocket/{version}/service.js";\n'
        assert version in (out / version / "bundle.js").read_text()
        versions.append(version)
    assert versions[0] != versions[1]
    assert not (out / versions[0]).exists()
