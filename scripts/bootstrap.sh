#!/bin/sh
# Installs the dependencies and the pinned Bun on a machine that has only Node and npm.
#
# Does nothing if they are installed as in package-lock.json. It may be interrupted, run again, and run twice at the same
# time: the stamp file is written last, and the second run waits for the first.
set -eu
cd "$(dirname "$0")/.."

bun=node_modules/.bin/bun
stamp=node_modules/.installed-lock
lock_sum=$(cksum <package-lock.json)

installed() {
  [ -f "$stamp" ] && [ "$(cat "$stamp")" = "$lock_sum" ]
}

bun_runs() {
  "$bun" --version >/dev/null 2>&1
}

if installed && bun_runs; then exit 0; fi

# The lock is on package-lock.json, which this script does not write. The end of this shell releases it.
# Without flock (macOS), the caller must not run this script twice at the same time.
if command -v flock >/dev/null 2>&1; then
  exec 9<package-lock.json
  flock 9
fi

if ! installed; then
  echo 'Installing the dependencies (npm ci)' >&2
  rm -f "$stamp"
  sh scripts/npm-ci.sh --ignore-scripts --no-audit --no-fund --loglevel=error >&2
  printf '%s\n' "$lock_sum" >"$stamp"
fi

# npm ran no install scripts, so the install script of Bun, which downloads or copies its executable, must run now.
if ! bun_runs; then
  node node_modules/bun/install.js >&2
  bun_runs || {
    echo "Bun does not run on this machine: $bun --version" >&2
    exit 1
  }
fi
