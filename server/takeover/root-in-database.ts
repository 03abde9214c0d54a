/** Reads the served folder that a database names, before the database is opened or imported. */
import { isFileBrowserDatabase } from '#server/config/bolt-mark.ts'
import { storedRoot } from '#server/core.ts'
import { branchOf, fieldOf } from '#server/settings/filebrowser-format.ts'
import { readOldInstallation } from './old-installation.ts'

/**
 * @param database of File Browser or of this server; it is not changed
 * @returns undefined if it names no folder
 * @throws Fault (locked, or it cannot be read), which names the file
 */
export function rootInDatabase(database: string): string | undefined {
  if (!isFileBrowserDatabase(database)) return storedRoot(database)
  const { settings } = readOldInstallation([database])
  const server = settings && branchOf(settings, 'server')
  const root = server && fieldOf(server, 'root')
  return typeof root === 'string' && root !== '' ? root : undefined
}
