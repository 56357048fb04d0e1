"""Checks installed packages for known vulnerabilities. `make audit`.

Exit status: 0 none known, 1 some known, 3 the check was incomplete.
"""

from __future__ import annotations

import json
import subprocess
import sys
from typing import Any

COMMAND = ("-m", "pip_audit", "--local", "--progress-spinner", "off")


def audit(arguments: list[str]) -> tuple[int, list[str]]:
    """The exit status, and lines to print."""
    command = [sys.executable, *COMMAND, "--format", "json", *arguments]
    done = subprocess.run(command, capture_output=True, text=True)
    try:
        packages: list[dict[str, Any]] = json.loads(done.stdout)["dependencies"]
    except (ValueError, KeyError):
        reason = (done.stderr.strip() or "no answer").splitlines()[-1]
        return 3, [f"NOT ASKED: pip-audit gave no answer, so nothing is known. {reason}"]
    found = [
        f"VULNERABLE: {package['name']} {package['version']}: {hole['id']}"
        f", mended in {', '.join(hole['fix_versions']) or 'no release yet'}"
        for package in packages
        for hole in package.get("vulns", ())
    ]
    unknown = [package["name"] for package in packages if "skip_reason" in package]
    lines = [*found]
    if unknown:
        lines.append(f"NOT ASKED, the service does not know them: {', '.join(sorted(unknown))}")
    if asked := len(packages) - len(unknown):
        lines.append(f"{asked} packages asked, {len(found)} vulnerabilities known")
    return 1 if found else 3 if unknown else 0, lines


def main() -> None:
    status, lines = audit(sys.argv[1:])
    print("\n".join(lines))
    sys.exit(status)


if __name__ == "__main__":
    main()
