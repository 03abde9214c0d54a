/** Loads the options: defaults < database < file < environment < flags (docs/decisions.md 13). */
import { existsSync } from 'node:fs'
import { Fault } from '#wire/fault.ts'
import { resolveName } from './aliases.ts'
import type { Config, OptionOrigin, Setting, StoredOptions } from './config.ts'
import { passwordInArguments, readAddress } from './database-address.ts'
import { findDatabaseToImport } from './database-to-import.ts'
import {
  configFileInWorkingDirectory,
  findConfigFile,
  otherWritersOf,
  readConfigFile,
} from './file.ts'
import { envOf, flagOf, OPTIONS } from './options.ts'
import { noticeOfDatabase, pathsOf } from './paths.ts'
import { isOff, parseAliased, parseValue } from './values.ts'

export interface Sources {
  /** The values of flags, by option name: this server's or File Browser's. */
  flags: Partial<Record<string, unknown>>
  env: NodeJS.ProcessEnv
  /** The file of `--config`; otherwise `FILEMGR_CONFIG`, otherwise the default locations. */
  file?: string | undefined
  /**
   * Whether a named file that is missing is an error. File Browser starts without it, and scripts rely on that; but a
   * running server must not lose its options when an editor replaces the file.
   */
  requiresFile?: boolean
  /** Reads the folder that a database of File Browser or of this server names, to find out who may have written it. */
  rootIn?: ((database: string) => string | undefined) | undefined
}

/**
 * Reads all layers.
 *
 * @throws Fault badRequest for an invalid value, naming its source; notFound for a named file that is missing, with
 *   `requiresFile`; of `rootIn`
 */
export function loadConfig(sources: Sources): Config {
  return loadLayers(sources, {})
}

function loadLayers(sources: Sources, stored: StoredOptions): Config {
  const options = withFileInWorkingDirectory(sources, stored)
  const isNamed = options.settings.get('root')?.origin !== 'default'
  const rootWith = (database: string) =>
    (isNamed ? undefined : sources.rootIn?.(database)) ?? options.text('root')
  const paths = pathsOf({ ...options, rootWith }, sources.env)
  const notice = noticeOfDatabase(options, paths, sources.env)
  return { ...options, rootWith, paths, notices: [...options.notices, ...notice] }
}

/** The options without resolved paths. */
type Layers = Omit<Config, 'paths' | 'rootWith'>

function withFileInWorkingDirectory(sources: Sources, stored: StoredOptions): Layers {
  const { env } = sources
  const named = namedFile(sources)
  const missing = named !== undefined && !sources.requiresFile && !existsSync(named)
  const path = missing ? undefined : (named ?? findConfigFile(env))
  const config = readLayers(sources, stored, path)
  if (missing) return { ...config, notices: [missingFileNotice(named), ...config.notices] }
  const found = path === undefined ? configFileInWorkingDirectory() : undefined
  if (found === undefined) return config
  // A file that other users could have written is not used. The file itself may name the root, which users write to.
  const root = config.settings.get('root')
  const isNamed = root?.origin !== 'default'
  if (!otherWritersOf(found, isNamed ? config.text('root') : undefined)) {
    const withFile = readLayers(sources, stored, found)
    if (!otherWritersOf(found, withFile.text('root'))) return withFile
  }
  const notices = [
    ...config.notices,
    `${found} is not read, because other users can write to it. Name it with --config, or move it to your home folder.`,
  ]
  return { ...config, notices }
}

/** The configuration file that a flag or the environment names. */
function namedFile({ env, file }: Sources): string | undefined {
  return file ?? (env.FILEMGR_CONFIG || undefined)
}

/** @returns a notice if a configuration file is named and missing */
export function noticeOfMissingFile(sources: Pick<Sources, 'env' | 'file'>): string | undefined {
  const named = namedFile({ ...sources, flags: {} })
  return named !== undefined && !existsSync(named) ? missingFileNotice(named) : undefined
}

function missingFileNotice(path: string): string {
  return `The configuration file ${path} does not exist, so its options are not set.`
}

function readLayers(sources: Sources, stored: StoredOptions, path: string | undefined): Layers {
  const { flags, env } = sources
  const notices: string[] = []
  const settings = new Map<string, Setting>()
  for (const option of OPTIONS) {
    const value = option.default === undefined ? undefined : parseValue(option, option.default)
    settings.set(option.key, { option, value, origin: 'default' })
  }
  const layers = [storedLayer(stored), fileLayer(path), environmentLayer(env), flagLayer(flags)]
  for (const layer of layers) {
    for (const assignment of layer) applyAssignment(assignment, settings, notices)
  }
  return {
    file: path,
    settings,
    notices,
    withStored: (values) => loadLayers(sources, values),
    text: (key) => String(settings.get(key)?.value ?? ''),
    number: (key) => Number(settings.get(key)?.value ?? 0),
    flag: (key) => settings.get(key)?.value === true,
    args: (key) => {
      const value = settings.get(key)?.value
      return Array.isArray(value) ? value : []
    },
  }
}

/**
 * @returns the base URL such as `/prefix`, without a trailing slash; empty if none is configured
 * @throws Fault badRequest (not a path)
 */
export function baseUrl(config: Config): string {
  const written = config.text('baseURL').replace(/\/+$/, '')
  if (written === '' || /^(\/[\w.~-]+)+$/.test(written)) return written
  throw new Fault('badRequest', `baseURL must be a path such as /files, not "${written}".`)
}

/**
 * Whether something names what to serve: the environment sets an option or names a configuration file, a configuration
 * file exists, or the database names a folder, as File Browser's in the working folder does.
 */
export function isConfigured(sources: Sources): boolean {
  const { env, rootIn } = sources
  if (environmentLayer(env).length > 0 || namedFile(sources) !== undefined) return true
  const config = loadConfig(sources)
  const { database } = config.paths
  if (config.file !== undefined || database.kind === 'postgres') return true
  if (existsSync(database.path)) return rootIn?.(database.path) !== undefined
  return findDatabaseToImport(config) !== undefined
}

/** A value with the name and source it was written under. */
interface Assignment {
  name: string
  written: unknown
  origin: OptionOrigin
  source: string
}

function storedLayer(stored: StoredOptions): Assignment[] {
  return Object.entries(stored).map(([name, written]) => {
    return { name, written, origin: 'database', source: 'the database' }
  })
}

function fileLayer(path: string | undefined): Assignment[] {
  if (!path) return []
  return readConfigFile(path).map(({ name, value, source }) => {
    return { name, written: value, origin: 'file', source }
  })
}

/** Our own names take precedence over File Browser's (docs/decisions.md 13). */
function environmentLayer(env: NodeJS.ProcessEnv): Assignment[] {
  const filebrowser = Object.entries(env).flatMap(([source, written]): Assignment[] => {
    const name = source.startsWith('FB_') ? source.slice(3) : ''
    return written && resolveName(name) ? [{ name, written, origin: 'environment', source }] : []
  })
  const filemgr = OPTIONS.flatMap(({ key }): Assignment[] => {
    const source = envOf(key)
    const written = env[source]
    return written ? [{ name: key, written, origin: 'environment', source }] : []
  })
  return [...filebrowser, ...filemgr]
}

function flagLayer(flags: Sources['flags']): Assignment[] {
  return Object.entries(flags)
    .filter(([, written]) => written !== undefined)
    .map(([name, written]) => ({ name, written, origin: 'flag', source: `--${flagOf(name)}` }))
}

/** @throws Fault badRequest, naming the source */
function applyAssignment(
  assignment: Assignment,
  settings: Map<string, Setting>,
  notices: string[],
): void {
  const { name, written, origin, source } = assignment
  const resolved = resolveName(name)
  if (!resolved) throw new Fault('badRequest', `${source}: ${name} is not an option.`)
  if (resolved.kind === 'ignored') {
    notices.push(`${source} does nothing here: ${resolved.why}.`)
  } else if (resolved.kind === 'refused') {
    if (!isOff(written)) throw new Fault('badRequest', `${source}: ${resolved.why}.`)
  } else {
    const { option } = resolved
    const value = withSource(source, () => parseAliased(resolved, written))
    if (option.key === 'database') {
      const { text, password } = readAddress(String(value ?? ''))
      if (password !== '' && origin === 'flag') throw passwordInArguments(source)
      settings.set(option.key, { option, value: text, origin, password })
    } else if (value !== undefined) settings.set(option.key, { option, value, origin })
  }
}

/** Runs `read` and prefixes its faults with the source. */
function withSource<T>(source: string, read: () => T): T {
  try {
    return read()
  } catch (error) {
    if (!(error instanceof Fault)) throw error
    throw new Fault(error.code, `${source}: ${error.message}`)
  }
}
