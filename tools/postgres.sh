#!/bin/sh
# Makes sure the tests have PostgreSQL and nginx: finds them, or installs them where that is allowed.
set -eu
cd "$(dirname "$0")/.."

find_both() {
    .venv/bin/python -m tests.cluster
}

if ! find_both >/dev/null 2>&1 && [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
    echo "Installing PostgreSQL and nginx for the tests"
    export DEBIAN_FRONTEND=noninteractive
    # Where this fails the search below still says what to do.
    {
        apt-get update -qq &&
            apt-get install -y -qq --no-install-recommends postgresql nginx
    } </dev/null >/dev/null || true
fi
find_both
