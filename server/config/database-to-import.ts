/** Finds a File Browser database that was not imported yet. */
import { existsSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { Fault } from '#wire/fault.ts'
import { isFileBrowserDatabase } from './bolt-mark.ts'
import type { Config } from './config.ts'
import type { OtherWriters } from './file.ts'
import {
  isOperatorsDatabase,
  OWN_NAME,
  oldPaths,
  otherWritersOfDatabase,
} from './filebrowser-database.ts'
import { ownCommand } from './own-command.ts'

/**
 * The database that the first start imports.
 *
 * @returns undefined if this server has a database already, or File Browser has none
 */
export function findDatabaseToImport(config: Config): string | undefined {
  const { database } = config.paths
  if (database.kind === 'postgres' || existsSync(database.path)) return undefined
  const named = config.text('database')
  if (named) return isFileBrowserDatabase(resolve(named)) ? resolve(named) : undefined
  return oldPaths().find(
    (path) =>
      join(dirname(path), OWN_NAME) === database.path &&
      isOperatorsDatabase(path, config, isFileBrowserDatabase),
  )
}

/** @returns a notice if a database in the working folder is not imported, because others could have written it */
export function noticeOfUntrustedDatabase(config: Config): string | undefined {
  const [here = ''] = oldPaths()
  const { database } = config.paths
  const isUsual = config.text('database') === '' && database.kind === 'file'
  const isNew = isUsual && !existsSync(database.path)
  if (!isNew || !isFileBrowserDatabase(here)) return undefined
  const others = otherWritersOfDatabase(here, config)
  if (others === undefined) return undefined
  return `${here} is not imported, because ${WHY_UNTRUSTED[others]} \`${ownCommand(config, ['import', here])}\` imports it.`
}

const WHY_UNTRUSTED: Record<OtherWriters, string> = {
  accounts: 'other accounts of this system can write it.',
  users: 'it is in a folder that is or was served: its users can have written it.',
}

/**
 * Refuses to create an empty database beside a configured one of File Browser that was never imported.
 *
 * @throws Fault conflict
 */
export function refuseEmptyDatabase(config: Config): void {
  const old = config.text('database') ? findDatabaseToImport(config) : undefined
  if (old === undefined) return
  throw new Fault(
    'conflict',
    `${old} is a database of File Browser that is not imported yet. \`filemgr serve\` imports it at its first start, \`${ownCommand(config, ['import', old])}\` imports it now. The file itself is never changed.`,
  )
}
