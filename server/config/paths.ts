/** The paths of the server's own files, from options and environment. */
import { existsSync } from 'node:fs'
import { homedir } from 'node:os'
import { join, resolve } from 'node:path'
import type { Config, ConfigPaths } from './config.ts'
import { configCandidates, isCreatable } from './file.ts'
import { besideOldDatabase, databaseAtOldPath } from './filebrowser-database.ts'

type Options = Pick<Config, 'text' | 'rootWith'>

export function pathsOf(options: Options, env: NodeJS.ProcessEnv): ConfigPaths {
  const cache = join(env.XDG_CACHE_HOME || join(env.HOME || homedir(), '.cache'), 'filemgr')
  const previews = options.text('cacheDir')
  return {
    database: databaseOf(options, env),
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
  const defaultFolder = dataFolder(env)
  if (options.text('database') !== '' || database.startsWith(defaultFolder)) return []
  const reason = isCreatable(join(defaultFolder, 'filemgr', 'filemgr.db'))
    ? 'File Browser has, or had, its database in that folder'
    : `${defaultFolder} cannot be written`
  return [`The database is ${database}: ${reason}. With --database you name another path.`]
}

/**
 * The database file: as configured, or beside File Browser's, or `filemgr.db` in the user's data folder
 * (docs/decisions.md 12), or in the working folder if the home folder is not writable, as in a container.
 */
function databaseOf(options: Options, env: NodeJS.ProcessEnv): string {
  const configuredPath = options.text('database')
  if (configuredPath) return besideOldDatabase(resolve(configuredPath))
  const defaultPath = join(dataFolder(env), 'filemgr', 'filemgr.db')
  if (existsSync(defaultPath)) return defaultPath
  const besideOld = databaseAtOldPath(options)
  return besideOld ?? (isCreatable(defaultPath) ? defaultPath : resolve('filemgr.db'))
}

function dataFolder(env: NodeJS.ProcessEnv): string {
  return env.XDG_DATA_HOME || join(env.HOME || homedir(), '.local', 'share')
}
