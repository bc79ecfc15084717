#!/bin/sh
# Backups of the Postgres of docker-compose.yml, and the way back, with what its image has (docs/restore.md):
#   backup.sh log               receives the write-ahead log as it is written; ends with the server
#   backup.sh base              takes a base backup when the newest is a day old, and removes what is too old
#   backup.sh restore [moment]  makes the data directory anew, as it was at 2026-01-31T09:30:00Z or at the end of the log
# In $BACKUPS: base/<moment>/ and log/. $BACKUP_DAYS of them are kept.
set -eu
umask 077
backups=${BACKUPS:-/backups}
slot=backup

stamp() { date -u +%Y%m%dT%H%M%SZ; }
ask() { psql -XAtq -v ON_ERROR_STOP=1 -c "$1"; }
bases() { ls "$backups/base" 2>/dev/null | grep -E '^[0-9]{8}T[0-9]{6}Z$' || true; }

receive() {
  mkdir -p "$backups/log" "$backups/exports"
  # Of the user of the service's image, who writes there: `aps ship`.
  [ "$(id -u)" != 0 ] || chown 1000:1000 "$backups/exports"
  pg_receivewal --no-password --slot "$slot" --create-slot --if-not-exists
  exec pg_receivewal --no-password --slot "$slot" --no-loop --directory "$backups/log"
}

# A name is the moment at which the backup was whole: no earlier moment can be returned to with it.
take_base() {
  draft=$backups/base/draft
  rm -rf "$draft"
  mkdir -p "$draft"
  pg_basebackup --no-password --checkpoint fast --format tar --compress gzip:1 --wal-method stream --pgdata "$draft"
  from=$(sed -n 's/.*"Start-LSN": "\([0-9A-F/]*\)".*/\1/p' "$draft/backup_manifest" | head -n 1)
  ask "SELECT pg_walfile_name('$from')" > "$draft/log-from"
  mv "$draft" "$backups/base/$(stamp)"
  ask "INSERT INTO shipments (name, shipped_at) VALUES ('base', now()) ON CONFLICT (name) DO UPDATE SET shipped_at = now()"
}

# The newest stays however old it is, and the log from the beginning of the oldest that stays.
remove_old() {
  newest=$(bases | tail -n 1)
  for name in $(bases); do
    [ "$name" != "$newest" ] || continue
    [ -n "$(find "$backups/base/$name" -maxdepth 0 -mmin +$((${BACKUP_DAYS:-14} * 1440)))" ] || continue
    rm -rf "${backups:?}/base/$name"
  done
  pg_archivecleanup "$backups/log" "$(cat "$backups/base/$(bases | head -n 1)/log-from")"
}

base() {
  mkdir -p "$backups/base" "$backups/log"
  [ -z "$(find "$backups/base" -mindepth 1 -maxdepth 1 -name '2*' -mmin -1430)" ] || return 0
  take_base
  remove_old
  echo "base backup $(bases | tail -n 1)"
}

# Nothing is deleted: the data that is there, and after success the backups of before, are put aside.
restore() {
  moment=${1:-}
  limit=$(echo "${moment:-9}" | tr -d ':-')
  chosen=$(bases | awk -v limit="$limit" '$0 "" <= limit ""' | tail -n 1)
  [ -n "$chosen" ] || { echo "No base backup is as old as that." >&2; exit 1; }
  now=$(stamp)
  [ ! -e "$PGDATA" ] || mv "$PGDATA" "$PGDATA.before-$now"
  mkdir -p "$PGDATA"
  tar -xzf "$backups/base/$chosen/base.tar.gz" -C "$PGDATA"
  tar -xzf "$backups/base/$chosen/pg_wal.tar.gz" -C "$PGDATA/pg_wal"
  touch "$PGDATA/recovery.signal"
  # A server that begins knows no Z.
  until=$(echo "$moment" | sed 's/T/ /; s/Z$/+00/')
  # The server is another user than this script; what was being received ends with .partial.
  [ "$(id -u)" != 0 ] || chown -R postgres "$backups/log"
  docker-entrypoint.sh postgres -c listen_addresses= -c recovery_target_action=promote \
    -c restore_command="cp $backups/log/%f %p || cp $backups/log/%f.partial %p" \
    ${until:+-c recovery_target_time="$until"} &
  server=$!
  until [ "$(PGHOST= ask 'SELECT pg_is_in_recovery()' 2>/dev/null)" = f ]; do
    kill -0 "$server" 2>/dev/null || { echo "The server ended before it was there." >&2; exit 1; }
    sleep 1
  done
  kill -INT "$server"
  wait "$server"
  mkdir "$backups/before-$now"
  mv "$backups/base" "$backups/log" "$backups/before-$now/"
  echo "restored from $chosen to ${moment:-the end of the log}"
}

case ${1:-} in
  log) receive ;;
  base) base ;;
  restore) restore "${2:-}" ;;
  *) sed -n 's/^#   //p' "$0"; exit 1 ;;
esac
