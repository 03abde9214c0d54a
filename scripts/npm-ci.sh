#!/bin/sh
# `npm ci` with more arguments.
#
# npm before 9.3 cannot read an override that names another package (package.json). Debian and Ubuntu have such a version.
# There, a newer npm does the work. It goes to npm's cache, and is not installed.
set -eu
newer=npm@10.9.4

case $(npm --version) in
[0-8].* | 9.[0-2].*) exec npm exec --yes --package="$newer" -- npm ci "$@" ;;
*) exec npm ci "$@" ;;
esac
