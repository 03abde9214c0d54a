/** What the operator decided before start: defaults < file < environment < flags (decisions 13). */
import { readFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join, resolve } from 'node:path'
import { Fault } from '#wire/fault.ts'
import { findConfigFile, lineOf, readConfigFile } from './file.ts'
import { envOf, flagOf, OPTIONS, type Option, type OptionKey } from './options.ts'
import { type OptionValue, parseValue } from './values.ts'

export type Origin = 'default' | 'file' | 'environment' | 'flag'

export interface Setting {
  option: Option
  value: OptionValue | undefined
  origin: Origin
}

/** The options, each with its value and where that came from. */
export interface Config {
  /** The file that was read, if any. */
  file: string | undefined
  settings: ReadonlyMap<string, Setting>
  text(key: OptionKey): string
  number(key: OptionKey): number
}

export interface Sources {
  /** Option key → what was written after the flag. */
  flags: Partial<Record<string, unknown>>
  env: NodeJS.ProcessEnv
  /** A file named by `--config`; else `FILEMGR_CONFIG`, else the usual places. */
  file?: string | undefined
}

/**
 * Reads every layer.
 *
 * @throws Fault badRequest for a value that does not fit, naming its place; notFound for a named
 *   file that is not there
 */
export function loadConfig({ flags, env, file }: Sources): Config {
  const path = file ?? (env.FILEMGR_CONFIG || findConfigFile(env))
  const inFile = path ? readConfigFile(path).values : new Map<string, unknown>()
  const settings = new Map<string, Setting>()
  for (const option of OPTIONS) settings.set(option.key, settle(option, flags, env, inFile, path))
  return {
    file: path,
    settings,
    text: (key) => String(settings.get(key)?.value ?? ''),
    number: (key) => Number(settings.get(key)?.value ?? 0),
  }
}

/** The database file: named, or `filemgr.db` in the user's data folder (decisions 12). */
export function databasePath(config: Config, env: NodeJS.ProcessEnv): string {
  const named = config.text('database')
  if (named) return resolve(named)
  const data = env.XDG_DATA_HOME || join(env.HOME || homedir(), '.local', 'share')
  return join(data, 'filemgr', 'filemgr.db')
}

/** The folder of previews: named, or `filemgr/previews` in the user's cache folder. */
export function cacheFolder(config: Config, env: NodeJS.ProcessEnv): string {
  const named = config.text('cacheDir')
  if (named) return resolve(named)
  const cache = env.XDG_CACHE_HOME || join(env.HOME || homedir(), '.cache')
  return join(cache, 'filemgr', 'previews')
}

/** `/prefix` without a slash at the end; empty for none. @throws Fault badRequest */
export function baseUrl(config: Config): string {
  const written = config.text('baseURL').replace(/\/+$/, '')
  if (written === '' || /^(\/[\w.~-]+)+$/.test(written)) return written
  throw new Fault('badRequest', `baseURL wants a path such as /files, not "${written}".`)
}

function settle(
  option: Option,
  flags: Sources['flags'],
  env: NodeJS.ProcessEnv,
  inFile: Map<string, unknown>,
  path: string | undefined,
): Setting {
  const flag = flags[option.key]
  if (flag !== undefined) return found(option, flag, 'flag', `--${flagOf(option.key)}`)
  const fromEnv = env[envOf(option.key)]
  if (fromEnv) return found(option, fromEnv, 'environment', envOf(option.key))
  if (path && inFile.has(option.key)) {
    const place = path + lineOf(readFileSync(path, 'utf8'), option.key)
    return found(option, inFile.get(option.key), 'file', place)
  }
  const value = option.default === undefined ? undefined : parseValue(option, option.default)
  return { option, value, origin: 'default' }
}

function found(option: Option, written: unknown, origin: Origin, place: string): Setting {
  try {
    return { option, value: parseValue(option, written), origin }
  } catch (error) {
    if (!(error instanceof Fault)) throw error
    throw new Fault(error.code, `${place}: ${error.message}`)
  }
}
