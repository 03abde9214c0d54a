/** A database of File Browser's for which this server has none of its own yet. */
import { existsSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { Fault } from '#wire/fault.ts'
import { isFileBrowsers } from './bolt-mark.ts'
import type { Config } from './config.ts'
import { isOwn, OWN_NAME, oldPaths } from './filebrowser-database.ts'

/**
 * What a first start takes over.
 *
 * @returns undefined where this server has its database, or there is no other
 */
export function findUntaken(config: Config): string | undefined {
  const own = config.paths.database
  if (existsSync(own)) return undefined
  const named = config.text('database')
  if (named) return isFileBrowsers(resolve(named)) ? resolve(named) : undefined
  const root = config.text('root')
  return oldPaths().find(
    (path) => join(dirname(path), OWN_NAME) === own && isOwn(path, root, isFileBrowsers),
  )
}

/** One in the working folder that is not taken over: whoever may upload there could have put it there. */
export function untrustedDatabase(config: Config): string | undefined {
  const [here = ''] = oldPaths()
  const isNew = config.text('database') === '' && !existsSync(config.paths.database)
  const isUntrusted = isFileBrowsers(here) && !isOwn(here, config.text('root'), isFileBrowsers)
  return isNew && isUntrusted ? here : undefined
}

/**
 * Refuses a new and empty database beside one of File Browser that was named and never taken over.
 *
 * @throws Fault conflict
 */
export function refuseUntaken(config: Config): void {
  const old = config.text('database') ? findUntaken(config) : undefined
  if (old === undefined) return
  throw new Fault(
    'conflict',
    `${old} is a database of File Browser, which is not taken over yet. \`filemgr serve\` does that at its first start, \`filemgr import ${old}\` does it now. The file itself is never changed.`,
  )
}
