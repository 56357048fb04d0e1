#!/bin/sh
# Makes sure the browser tests have a Chromium: finds one, or installs it where that is allowed.
set -eu

if .venv/bin/python tests/browser/chromium.py >/dev/null 2>&1; then
    exit 0
fi
if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
    export DEBIAN_FRONTEND=noninteractive
    apt-get update -qq
    apt-get install -y -qq --no-install-recommends chromium >/dev/null
fi
exec .venv/bin/python tests/browser/chromium.py
