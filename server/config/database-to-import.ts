/** Finds a File Browser database that was not imported yet. */
import { existsSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { Fault } from '#wire/fault.ts'
import { isFileBrowserDatabase } from './bolt-mark.ts'
import type { Config } from './config.ts'
import { isOperatorsFile, OWN_NAME, oldPaths } from './filebrowser-database.ts'

/**
 * The database that the first start imports.
 *
 * @returns undefined if this server has a database already, or File Browser has none
 */
export function findDatabaseToImport(config: Config): string | undefined {
  const database = config.paths.database
  if (existsSync(database)) return undefined
  const named = config.text('database')
  if (named) return isFileBrowserDatabase(resolve(named)) ? resolve(named) : undefined
  const root = config.text('root')
  return oldPaths().find(
    (path) =>
      join(dirname(path), OWN_NAME) === database &&
      isOperatorsFile(path, root, isFileBrowserDatabase),
  )
}

/** A database in the working folder that is not imported, because uploads could have created it. */
export function untrustedDatabase(config: Config): string | undefined {
  const [here = ''] = oldPaths()
  const isNew = config.text('database') === '' && !existsSync(config.paths.database)
  const isUntrusted =
    isFileBrowserDatabase(here) &&
    !isOperatorsFile(here, config.text('root'), isFileBrowserDatabase)
  return isNew && isUntrusted ? here : undefined
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
    `${old} is a database of File Browser that is not imported yet. \`filemgr serve\` imports it at its first start, \`filemgr import ${old}\` imports it now. The file itself is never changed.`,
  )
}
