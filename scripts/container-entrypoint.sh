#!/bin/sh
# The entry point of the container: finds the configuration file, changes to the account of PUID and PGID, and executes
# filemgr in place of this shell.
set -eu

# The containers of File Browser have their configuration file at one of the first two paths.
if [ -z "${FILEMGR_CONFIG:-}" ]; then
  for file in /config/settings.json /.filebrowser.json /usr/share/filemgr/settings.json; do
    if [ -f "$file" ]; then
      export FILEMGR_CONFIG="$file"
      break
    fi
  done
  # The last file is ours and names no database. A database of File Browser in /database is imported.
  if [ "$FILEMGR_CONFIG" = /usr/share/filemgr/settings.json ] && [ -z "${FB_DATABASE:-}" ]; then
    old=/database/filebrowser.db
    own=/database/filemgr.db
    if [ -f "$old" ]; then own=$old; fi
    export FILEMGR_DATABASE="${FILEMGR_DATABASE:-$own}"
  fi
fi

# Older containers of File Browser have their database in one mounted file, /database.db. Files beside it are lost with the
# container, so it is copied to /database, where the database of filemgr is.
is_single_file_used() { [ "$FILEMGR_CONFIG" = /usr/share/filemgr/settings.json ] || grep -q '"/database.db"' "$FILEMGR_CONFIG"; }
if [ -s /database.db ] && [ -z "${FB_DATABASE:-}" ] && is_single_file_used; then
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

# With PUID or PGID and started as root, filemgr runs as that account.
if [ "$(id -u)" = 0 ] && [ -n "${PUID:-}${PGID:-}" ]; then
  uid=${PUID:-1000}
  gid=${PGID:-1000}
  chown "$uid:$gid" /config /database
  find /config /database -maxdepth 1 -name 'file*.db*' -exec chown "$uid:$gid" {} +
  # filemgr cannot use previews that belong to another account.
  if [ -d /database/.cache ]; then
    find /database/.cache ! -user "$uid" -exec chown -h "$uid:$gid" {} +
  fi
  exec setpriv --reuid "$uid" --regid "$gid" --clear-groups /usr/local/lib/filemgr/filemgr "$@"
fi
exec /usr/local/lib/filemgr/filemgr "$@"
