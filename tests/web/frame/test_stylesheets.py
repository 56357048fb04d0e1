"""The stylesheets' dark colours are complete."""

import re

from scorer.web.frame.assets import asset_root


def test_dark_mode_changes_only_colours():
    styles = "".join(file.read_text() for file in (asset_root() / "static/css").glob("*.css"))
    dark = re.findall(r"prefers-color-scheme: dark\) {(.*?)^}", styles, re.MULTILINE | re.DOTALL)
    assert len(dark) == styles.count("prefers-color-scheme") == 1
    declarations = [line.strip() for line in dark[0].splitlines() if ";" in line]
    assert declarations
    assert [
        line for line in declarations if not re.fullmatch(r"--[\w-]+: #[0-9a-f]{6};", line)
    ] == []
