#!/bin/sh
# Installs a file of pinned requirements into .venv: install.sh PYTHON FILE
set -u
cd "$(dirname "$0")/.."
python=$1 file=$2

fail() {
    echo "$1" >&2
    exit 1
}

if ! .venv/bin/python -m pip --version >/dev/null 2>&1; then
    "$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null ||
        fail "Bummerl needs Python 3.11 or newer: install it, or name it with PYTHON=..."
    "$python" -m venv --clear .venv >/dev/null ||
        fail "Python cannot create .venv. On Debian and Ubuntu: apt-get install python3-venv"
fi
echo "Installing $file into .venv (about a minute) ..."
.venv/bin/python -m pip install -qq --disable-pip-version-check --retries 1 -r "$file" ||
    fail "Bummerl needs the network to install $file: connect, and type the same again."
cp "$file" .venv/
