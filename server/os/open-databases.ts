/**
 * The databases that this process has open. Their files are opened by SQLite only: the locks of a process on a file end
 * when it closes any descriptor of it (POSIX). Without SQLite's lock, the next program that closes the database takes
 * itself for the last one, and removes the log in which this process writes.
 */
import { statSync } from 'node:fs'

/** The database, and the file beside it on which SQLite has locks in WAL mode. */
const LOCKED_ENDINGS = ['', '-shm']

const paths = new Set<string>()

/** To be called before a database is opened. */
export function noteOpenDatabase(path: string): void {
  for (const ending of LOCKED_ENDINGS) paths.add(path + ending)
}

/** Whether a file, by any of its names, belongs to a database that this process has open. */
export function belongsToOpenDatabase(path: string): boolean {
  const file = statSync(path, { throwIfNoEntry: false })
  if (!file) return false
  return paths.values().some((path) => {
    const locked = statSync(path, { throwIfNoEntry: false })
    return locked?.ino === file.ino && locked.dev === file.dev
  })
}
