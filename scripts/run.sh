#!/bin/sh
# Runs scripts/NAME.ts with the pinned Bun: run.sh NAME [arguments]
set -eu
cd "$(dirname "$0")/.."
sh scripts/bootstrap.sh
name=$1
shift
exec node_modules/.bin/bun "scripts/$name.ts" "$@"
