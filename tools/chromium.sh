#!/bin/sh
# Makes sure the browser tests have a Chromium and what drives it needs: finds them, or installs
# them where that is allowed.
set -eu
cd "$(dirname "$0")/.."

find_chromium() {
    .venv/bin/python tests/browser/find_chromium.py
}

if ! find_chromium >/dev/null 2>&1 && [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
    echo "Installing Chromium for the browser tests"
    export DEBIAN_FRONTEND=noninteractive
    # Where this fails the search below still says what to do.
    {
        apt-get update -qq
        apt-get install -y -qq --no-install-recommends chromium libatomic1
        # Half of the time for what needs no window; not every system has it.
        apt-get install -y -qq --no-install-recommends chromium-headless-shell 2>/dev/null
    } </dev/null >/dev/null || true
fi
find_chromium
