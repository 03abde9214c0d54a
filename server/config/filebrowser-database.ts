/** Finds File Browser's database, and the path of this server's database beside it. */
import { existsSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { isFileBrowserDatabase } from './bolt-mark.ts'
import type { Config } from './config.ts'
import { isServerUrl } from './database-address.ts'
import { type OtherWriters, otherWritersOf } from './file.ts'

export const OWN_NAME = 'filemgr.db'
const OLD_NAMES = ['filebrowser.db', 'database.db']

/** The paths in File Browser's containers, of several versions; the working folder is searched first. */
const OLD_PATHS = ['/database/filebrowser.db', '/config/filebrowser.db', '/database.db']

/**
 * The path of this server's database if an option names File Browser's: a new file beside it, also after the old one
 * was deleted.
 */
export function besideOldDatabase(path: string): string {
  const newDatabase = join(dirname(path), OWN_NAME)
  const wasOld = !existsSync(path) && OLD_NAMES.includes(basename(path)) && existsSync(newDatabase)
  return isFileBrowserDatabase(path) || wasOld ? newDatabase : path
}

/** The path of this server's database if File Browser's is, or was, in a default location. */
export function databaseAtOldPath(config: Pick<Config, 'rootWith'>): string | undefined {
  // The own one first: that of a running File Browser is locked, and cannot be read.
  const path = oldPaths().find(
    (path) =>
      isOperatorsDatabase(join(dirname(path), OWN_NAME), config, existsSync) ||
      isOperatorsDatabase(path, config, isFileBrowserDatabase),
  )
  return path && join(dirname(path), OWN_NAME)
}

/** All databases of File Browser that exist. They contain password hashes. */
export function oldDatabases(config: Config): string[] {
  const named = config.text('database')
  const files = named && !isServerUrl(named) ? [resolve(named)] : []
  return [...files, ...oldPaths()].filter(isFileBrowserDatabase)
}

/** All paths where File Browser's database is searched, in order. */
export function oldPaths(): string[] {
  // On Windows every account may create such folders.
  return [resolve('filebrowser.db'), ...(process.platform === 'win32' ? [] : OLD_PATHS)]
}

/**
 * Whether a database exists and only the operator can have created it: no other account can write it, and it is not in
 * the folder that is served with it.
 */
export function isOperatorsDatabase(
  path: string,
  config: Pick<Config, 'rootWith'>,
  isExpectedFile: (path: string) => boolean,
): boolean {
  return isExpectedFile(path) && !otherWritersOfDatabase(path, config)
}

/** Who other than the operator may have written an existing database. */
export function otherWritersOfDatabase(
  path: string,
  config: Pick<Config, 'rootWith'>,
): OtherWriters | undefined {
  // Only then it is read.
  return otherWritersOf(path, undefined) ?? otherWritersOf(path, config.rootWith(path))
}
