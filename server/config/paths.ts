/** The paths of the server's own files, from options and environment. */
import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { userFolders } from '#server/os/user-folders.ts'
import type { Config, ConfigPaths } from './config.ts'
import { type DatabaseAddress, isServerUrl, serverAddress } from './database-address.ts'
import { configCandidates, isCreatable } from './file.ts'
import { besideOldDatabase, databaseAtOldPath } from './filebrowser-database.ts'

type Options = Pick<Config, 'text' | 'rootWith' | 'settings' | 'file'>

export function pathsOf(options: Options, env: NodeJS.ProcessEnv): ConfigPaths {
  const { cache } = userFolders(env)
  const previews = options.text('cacheDir')
  return {
    database: addressOf(options, env),
    usualDatabase: usualDatabaseOf(env),
    cache,
    previews: previews ? resolve(previews) : join(cache, 'previews'),
    configFiles: configCandidates(env),
  }
}

/** A notice if the database is not in the default location, and no option names it; empty otherwise. */
export function noticeOfDatabase(
  options: Pick<Config, 'text'>,
  { database }: ConfigPaths,
  env: NodeJS.ProcessEnv,
): string[] {
  const { allData } = userFolders(env)
  if (database.kind === 'postgres') return []
  if (options.text('database') !== '' || database.path.startsWith(allData)) return []
  const reason = isCreatable(usualDatabaseOf(env))
    ? 'File Browser has, or had, its database in that folder'
    : `${allData} cannot be written`
  return [`The database is ${database.path}: ${reason}. With --database you name another path.`]
}

function addressOf(options: Options, env: NodeJS.ProcessEnv): DatabaseAddress {
  const text = options.text('database')
  if (!isServerUrl(text)) return { kind: 'file', path: databaseOf(options, env) }
  const setting = options.settings.get('database')
  const password = setting?.password ?? ''
  const isInFile = password !== '' && setting?.origin === 'file'
  return serverAddress(text, password, {
    named: options.text('databasePasswordFile'),
    file: isInFile ? options.file : undefined,
    env,
  })
}

/**
 * The database file: as configured, or beside File Browser's, or `filemgr.db` in the user's data folder
 * (docs/decisions.md 12), or in the working folder if the home folder is not writable, as in a container.
 */
function databaseOf(options: Options, env: NodeJS.ProcessEnv): string {
  const configuredPath = options.text('database')
  if (configuredPath) return besideOldDatabase(resolve(configuredPath))
  const defaultPath = usualDatabaseOf(env)
  if (existsSync(defaultPath)) return defaultPath
  const besideOld = databaseAtOldPath(options)
  return besideOld ?? (isCreatable(defaultPath) ? defaultPath : resolve('filemgr.db'))
}

function usualDatabaseOf(env: NodeJS.ProcessEnv): string {
  return join(userFolders(env).data, 'filemgr.db')
}
