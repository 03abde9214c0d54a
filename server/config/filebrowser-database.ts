/** File Browser's own database, found where File Browser has it, and this server's beside it. */
import { existsSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { isFileBrowsers } from './bolt-mark.ts'
import type { Config } from './config.ts'
import { isWritableByOthers } from './file.ts'

export const OWN_NAME = 'filemgr.db'
const OLD_NAMES = ['filebrowser.db', 'database.db']

/** Where File Browser's containers of several years keep it; the working folder comes before. */
const OLD_PATHS = ['/database/filebrowser.db', '/config/filebrowser.db', '/database.db']

/**
 * This server's database where options name File Browser's: a file of its own beside that one, also
 * after the old one was removed.
 */
export function besideOldDatabase(path: string): string {
  const own = join(dirname(path), OWN_NAME)
  const wasOld = !existsSync(path) && OLD_NAMES.includes(basename(path)) && existsSync(own)
  return isFileBrowsers(path) || wasOld ? own : path
}

/**
 * This server's database where no option names one and File Browser's is, or was, in a usual place.
 *
 * @param root the folder to be served: what lies in it may be anybody's
 */
export function databaseAtOldPath(root: string | undefined): string | undefined {
  const found = oldPaths().find(
    (path) =>
      isOwn(path, root, isFileBrowsers) || isOwn(join(dirname(path), OWN_NAME), root, existsSync),
  )
  return found && join(dirname(found), OWN_NAME)
}

/** Every file of File Browser's that holds hashes of passwords, wherever it lies. */
export function oldDatabases(config: Config): string[] {
  const named = config.text('database')
  return [...(named ? [resolve(named)] : []), ...oldPaths()].filter(isFileBrowsers)
}

/** Every path at which it is looked for, the first that counts first. */
export function oldPaths(): string[] {
  return [resolve('filebrowser.db'), ...OLD_PATHS]
}

/** Whether a file is there, and nobody else than the operator can have put it there. */
export function isOwn(
  path: string,
  root: string | undefined,
  isIt: (path: string) => boolean,
): boolean {
  return isIt(path) && !isWritableByOthers(path, root)
}
