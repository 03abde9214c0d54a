#!/bin/sh
# `npm start -- ROOT [options]`: builds the executable if it is missing or older than its sources, and executes
# `filemgr serve` in place of this shell, so that a signal to npm reaches the server.
set -eu

# npm runs scripts in the folder of the package, but paths on the command line are relative to the folder of the caller.
caller=${INIT_CWD:-$PWD}
cd "$(dirname "$0")/.."
repo_root=$PWD

# A folder that does not exist is created. If this fails, the message comes before the build and not after it.
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
  cd "$repo_root"
  ;;
esac
sh scripts/bootstrap.sh

# Folders are compared too: the removal of a file changes only the time of its folder.
changed() {
  find cli server ui scripts package.json package-lock.json \
    \( -path ui/dist -o -name '*.gen.ts' \) -prune -o -newer dist/filemgr -print -quit
}

if [ ! -x dist/filemgr ] || [ -n "$(changed)" ]; then
  node_modules/.bin/bun scripts/build.ts
fi

cd "$caller"
exec "$repo_root/dist/filemgr" serve "$@"
