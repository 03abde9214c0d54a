#!/bin/sh
# Brings the dependencies and the pinned Bun to a machine that has only Node and npm.
#
# Does nothing when they are there and fit package-lock.json. Safe to interrupt, to run twice and to
# run twice at once: the stamp is written last, and one run waits for the other.
set -eu
cd "$(dirname "$0")/.."

bun=node_modules/.bin/bun
stamp=node_modules/.installed-lock
lock_sum=$(cksum <package-lock.json)

installed() {
  [ -f "$stamp" ] && [ "$(cat "$stamp")" = "$lock_sum" ]
}

runs() {
  "$bun" --version >/dev/null 2>&1
}

if installed && runs; then exit 0; fi

# The lock is held on package-lock.json itself, which nothing here writes, and ends with this shell.
# Where flock does not exist (macOS), two first starts at once are the caller's to avoid.
if command -v flock >/dev/null 2>&1; then
  exec 9<package-lock.json
  flock 9
fi

if ! installed; then
  echo 'Bringing the dependencies (npm ci)' >&2
  rm -f "$stamp"
  sh scripts/npm-ci.sh --ignore-scripts --no-audit --no-fund --loglevel=error >&2
  printf '%s\n' "$lock_sum" >"$stamp"
fi

# npm ran no install scripts, so Bun's own step, which puts the executable in its place, is due.
if ! runs; then
  node node_modules/bun/install.js >&2
  runs || {
    echo "Bun does not run on this machine: $bun --version" >&2
    exit 1
  }
fi
