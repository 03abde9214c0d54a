#!/bin/sh
# `npm start -- ROOT [options]`: builds the executable when it is absent or older than its sources,
# then becomes `filemgr serve`, so that a signal to npm reaches the server.
set -eu

# npm runs scripts in the package's folder; paths on the command line are meant from the caller's.
caller=${INIT_CWD:-$PWD}
cd "$(dirname "$0")/.."
house=$PWD

# A mistake in the first word is reported now, and not after the build.
case ${1:--} in
-*) ;;
*)
  if ! (cd "$caller" && [ -e "$1" ]); then
    echo "The folder $1 does not exist. Create it, or name another one." >&2
    exit 4
  fi
  ;;
esac
sh scripts/bootstrap.sh

# Folders count too: a removed file leaves its mark only there.
changed() {
  find cli server ui scripts package.json package-lock.json \
    \( -path ui/dist -o -name '*.gen.ts' \) -prune -o -newer dist/filemgr -print -quit
}

if [ ! -x dist/filemgr ] || [ -n "$(changed)" ]; then
  node_modules/.bin/bun scripts/build.ts
fi

cd "$caller"
exec "$house/dist/filemgr" serve "$@"
