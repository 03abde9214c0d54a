/** Writes a backup: one file with the database, the configuration file and the branding. */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { Core } from '#server/core.ts'
import { PostgresError } from '#server/db/postgres/errors.ts'
import { Fault } from '#wire/fault.ts'

/** A larger branding folder is left out, because it probably contains other files. */
const BRANDING_MAX_BYTES = 64 * 1024 * 1024

export interface BackupResult {
  path: string
  /** The files in the backup besides the database. */
  files: string[]
  notices: string[]
}

/**
 * Writes a backup, also while a server runs.
 *
 * @throws Fault conflict if the file exists, forbidden if it cannot be written; errors of a database on a server; system
 *   errors if the configuration file or a file of the branding cannot be read
 */
export async function writeBackup(core: Core, path: string): Promise<BackupResult> {
  if (existsSync(path)) {
    throw new Fault('conflict', `The file ${path} already exists. Choose another file name.`)
  }
  const { file } = core.config
  const branding = brandingOf(core.settings.get().branding.files)
  const files = [...(file === undefined ? [] : [resolve(file)]), ...branding.files]
  const packed = files.map((name) => ({ path: name, bytes: readFileSync(name) }))
  try {
    await core.copyTo(path, packed)
  } catch (cause) {
    if (cause instanceof Fault || cause instanceof PostgresError) throw cause
    throw new Fault('forbidden', `The file ${path} cannot be written.`, { cause })
  }
  return { path, files, notices: branding.notices }
}

function brandingOf(folder: string): { files: string[]; notices: string[] } {
  if (folder === '' || !existsSync(folder)) return { files: [], notices: [] }
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  const files = names.map((name) => resolve(join(folder, name))).filter(isFile)
  const bytes = files.reduce((sum, file) => sum + statSync(file).size, 0)
  if (bytes <= BRANDING_MAX_BYTES) return { files, notices: [] }
  return { files: [], notices: [`${folder} is larger than 64 MiB and is left out.`] }
}

function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() === true
}
