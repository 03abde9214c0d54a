#!/bin/sh
# The command filemgr of the container: finds the settings, takes the account, and becomes filemgr.
set -eu

# File Browser's containers kept their settings in one of these.
if [ -z "${FILEMGR_CONFIG:-}" ]; then
  for file in /config/settings.json /.filebrowser.json /usr/share/filemgr/settings.json; do
    if [ -f "$file" ]; then
      export FILEMGR_CONFIG="$file"
      break
    fi
  done
  # These name no database. filemgr finds an old one in this folder, and has its own beside it.
  if [ "$FILEMGR_CONFIG" = /usr/share/filemgr/settings.json ] && [ -z "${FB_DATABASE:-}" ]; then
    old=/database/filebrowser.db
    own=/database/filemgr.db
    if [ -f "$old" ]; then own=$old; fi
    export FILEMGR_DATABASE="${FILEMGR_DATABASE:-$own}"
  fi
fi

# Older containers of File Browser had one file, /database.db. Nothing beside it outlives the container, so a copy goes to
# /database, where filemgr has its own.
names_single() { [ "$FILEMGR_CONFIG" = /usr/share/filemgr/settings.json ] || grep -q '"/database.db"' "$FILEMGR_CONFIG"; }
if [ -s /database.db ] && [ -z "${FB_DATABASE:-}" ] && names_single; then
  old=/database/filebrowser.db
  if [ ! -e "$old" ] && [ ! -e /database/filemgr.db ]; then
    if ! flock --nonblock /database.db cp /database.db "$old.copying"; then
      echo '/database.db cannot be copied to /database. Stop the old container, and let this account write to /database.' >&2
      exit 1
    fi
    mv "$old.copying" "$old"
  fi
  export FILEMGR_DATABASE="$old"
fi

# Started as root with PUID or PGID, it gives root away.
if [ "$(id -u)" = 0 ] && [ -n "${PUID:-}${PGID:-}" ]; then
  uid=${PUID:-1000}
  gid=${PGID:-1000}
  chown "$uid:$gid" /config /database
  find /config /database -maxdepth 1 -name 'file*.db*' -exec chown "$uid:$gid" {} +
  # The previews of another account could not be used.
  if [ -d /database/.cache ]; then
    find /database/.cache ! -user "$uid" -exec chown -h "$uid:$gid" {} +
  fi
  exec setpriv --reuid "$uid" --regid "$gid" --clear-groups /usr/local/lib/filemgr/filemgr "$@"
fi
exec /usr/local/lib/filemgr/filemgr "$@"
