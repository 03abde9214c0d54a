#!/bin/sh
# `npm start -- ROOT [options]`: builds the executable when it is absent or older than its sources,
# then becomes `filemgr serve`, so that a signal to npm reaches the server.
set -eu

# npm runs scripts in the package's folder; paths on the command line are meant from the caller's.
caller=${INIT_CWD:-$PWD}
cd "$(dirname "$0")/.."
house=$PWD

# A new folder is created, as people expect of a first start. A mistake is reported now, and not after the build.
case ${1:--} in
-*) ;;
*)
  cd "$caller"
  if [ ! -e "$1" ]; then
    if ! mkdir "$1" 2>/dev/null; then
      echo "The folder $1 does not exist and cannot be created. Name another one." >&2
      exit 4
    fi
    echo "Created the folder $1." >&2
  fi
  cd "$house"
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
