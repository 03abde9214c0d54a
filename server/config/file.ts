/** The configuration file: JSON, YAML or TOML, told by its ending. */
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, extname, join } from 'node:path'
import { parse as parseToml, stringify as stringifyToml, TomlError } from 'smol-toml'
import { parseDocument, type Document as YamlDocument } from 'yaml'
import { Fault } from '#wire/fault.ts'
import { findOption } from './options.ts'

const ENDINGS = ['.yaml', '.yml', '.json', '.toml'] as const

export interface ConfigFile {
  path: string
  /** Key → value as the file spells it; keys of nested tables joined by a dot. */
  values: Map<string, unknown>
}

/**
 * The operator's usual configuration file, if there is one. The working directory is never searched:
 * it may be the served folder, where anybody's upload would become configuration.
 */
export function findConfigFile(env: NodeJS.ProcessEnv): string | undefined {
  return configFolders(env)
    .flatMap((folder) => ENDINGS.map((ending) => join(folder, `config${ending}`)))
    .find((path) => existsSync(path))
}

/** Where `config init` puts a new file. */
export function newConfigFile(env: NodeJS.ProcessEnv): string {
  return join(configFolders(env)[0] ?? '.', 'config.yaml')
}

/**
 * Reads a file.
 *
 * @throws Fault badRequest, with file and line, for what does not parse or is no option; notFound
 */
export function readConfigFile(path: string): ConfigFile {
  const text = readText(path)
  const tree = parse(path, text)
  const values = new Map<string, unknown>()
  for (const [key, value] of flatten(tree)) {
    const option = findOption(key)
    if (!option) throw new Fault('badRequest', `${path}${lineOf(text, key)}: ${key} is no option.`)
    values.set(option.key, value)
  }
  return { path, values }
}

/** Where in the file a key stands, as `:12`; empty when it cannot be told. */
export function lineOf(text: string, key: string): string {
  const last = key.split('.').at(-1) ?? key
  const line = text.split('\n').findIndex((row) => row.toLowerCase().includes(last.toLowerCase()))
  return line < 0 ? '' : `:${line + 1}`
}

/**
 * Writes one value, leaving the others. A YAML file keeps its comments.
 *
 * @throws Fault badRequest for a file that does not parse
 */
export function writeConfigValue(path: string, key: string, value: unknown): void {
  const text = existsSync(path) ? readText(path) : ''
  const branch = key.split('.')
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  writeFileSync(`${path}.new`, edit(path, text, branch, value), { mode: 0o600 })
  renameSync(`${path}.new`, path)
}

function configFolders(env: NodeJS.ProcessEnv): string[] {
  const home = env.XDG_CONFIG_HOME || join(env.HOME || homedir(), '.config')
  return [join(home, 'filemgr'), '/etc/filemgr']
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (cause) {
    throw new Fault('notFound', `The configuration file ${path} cannot be read.`, { cause })
  }
}

function parse(path: string, text: string): Record<string, unknown> {
  const tree = isToml(path) ? parseTomlText(path, text) : parseYamlText(path, text).toJS()
  if (!isTable(tree ?? {}))
    throw new Fault('badRequest', `${path}:1: a table of options is wanted here.`)
  return tree ?? {}
}

/** JSON is YAML too, so one parser reads both. @throws Fault badRequest with file and line */
function parseYamlText(path: string, text: string): YamlDocument {
  const document = parseDocument(text, { prettyErrors: false })
  const [error] = document.errors
  if (!error) return document
  const line = error.linePos?.[0].line ?? lineAt(text, error.pos[0])
  throw new Fault('badRequest', `${path}:${line}: ${error.message}`, { cause: error })
}

/** @throws Fault badRequest with file and line */
function parseTomlText(path: string, text: string): Record<string, unknown> {
  try {
    return parseToml(text)
  } catch (cause) {
    if (!(cause instanceof TomlError)) throw cause
    const [reason] = cause.message.split('\n')
    throw new Fault('badRequest', `${path}:${cause.line}: ${reason}`, { cause })
  }
}

function edit(path: string, text: string, branch: string[], value: unknown): string {
  if (!isToml(path)) {
    const document = parseYamlText(path, text)
    document.setIn(branch, value)
    return isJson(path) ? `${JSON.stringify(document.toJS(), null, 2)}\n` : document.toString()
  }
  const document = parseTomlText(path, text)
  const leaf = branch.at(-1) ?? ''
  let at = document
  for (const name of branch.slice(0, -1)) {
    const next = isTable(at[name]) ? at[name] : {}
    at[name] = next
    at = next
  }
  at[leaf] = value
  return stringifyToml(document)
}

/** @throws Fault badRequest for a file of another kind */
function isToml(path: string): boolean {
  const ending = extname(path).toLowerCase()
  if (ENDINGS.some((known) => known === ending)) return ending === '.toml'
  throw new Fault(
    'badRequest',
    `${path}: a configuration file ends in .yaml, .yml, .json or .toml.`,
  )
}

function isJson(path: string): boolean {
  return extname(path).toLowerCase() === '.json'
}

function flatten(tree: Record<string, unknown>, prefix = ''): [string, unknown][] {
  return Object.entries(tree).flatMap(([key, value]): [string, unknown][] =>
    isTable(value) ? flatten(value, `${prefix}${key}.`) : [[prefix + key, value]],
  )
}

function isTable(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function lineAt(text: string, offset: number): number {
  return text.slice(0, offset).split('\n').length
}
