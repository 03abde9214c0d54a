/**
 * The databases that this process has open. Their files are read by SQLite only: the locks of a process on a file end when
 * it closes any descriptor of it (POSIX), and without SQLite's lock the next program that closes the database takes itself
 * for the last one, and removes the log in which this process writes.
 */
import { statSync } from 'node:fs'

const paths = new Set<string>()

/** To be called before a database is opened. */
export function noteOpenDatabase(path: string): void {
  paths.add(path)
}

/** Whether a file, by any of its names, is a database that this process has open. */
export function isOpenDatabase(path: string): boolean {
  const file = statSync(path, { throwIfNoEntry: false })
  if (!file) return false
  return paths.values().some((path) => {
    const database = statSync(path, { throwIfNoEntry: false })
    return database?.ino === file.ino && database.dev === file.dev
  })
}
