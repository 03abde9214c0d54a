#!/bin/sh
# `npm ci` with more arguments.
#
# npm before 9.3 cannot read an override that names another package (package.json). Debian and Ubuntu have such a version.
# There, a newer npm runs instead. npm downloads it to its cache, and does not install it.
set -eu
newer=npm@10.9.4

case $(npm --version) in
[0-8].* | 9.[0-2].*) exec npm exec --yes --package="$newer" -- npm ci "$@" ;;
*) exec npm ci "$@" ;;
esac
