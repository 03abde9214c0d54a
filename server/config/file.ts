/** The configuration file: JSON, YAML or TOML, told by its ending. */
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, extname, join } from 'node:path'
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
 * Writes one value, leaving the others. Comments of the file do not survive.
 *
 * @throws Fault unsupported for TOML, which filemgr reads but does not write
 */
export function writeConfigValue(path: string, key: string, value: unknown): void {
  const tree = existsSync(path) ? parse(path, readText(path)) : {}
  const branch = key.split('.')
  const leaf = branch.pop() ?? key
  let at = tree
  for (const name of branch) {
    const next = at[name]
    at[name] = isTable(next) ? next : {}
    at = at[name] as Record<string, unknown>
  }
  at[leaf] = value
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  writeFileSync(`${path}.new`, print(path, tree), { mode: 0o600 })
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
  let tree: unknown
  try {
    tree = parsers[endingOf(path)](text) ?? {}
  } catch (cause) {
    throw new Fault('badRequest', `${path}${positionOf(cause, text)}: ${messageOf(cause)}`, {
      cause,
    })
  }
  if (!isTable(tree)) throw new Fault('badRequest', `${path}:1: a table of options is wanted here.`)
  return tree
}

const parsers: Record<(typeof ENDINGS)[number], (text: string) => unknown> = {
  '.json': (text) => (text.trim() === '' ? {} : Bun.JSON5.parse(text)),
  '.yaml': (text) => Bun.YAML.parse(text),
  '.yml': (text) => Bun.YAML.parse(text),
  '.toml': (text) => Bun.TOML.parse(text),
}

function endingOf(path: string): (typeof ENDINGS)[number] {
  const ending = ENDINGS.find((known) => known === extname(path).toLowerCase())
  if (ending) return ending
  throw new Fault(
    'badRequest',
    `${path}: a configuration file ends in .yaml, .yml, .json or .toml.`,
  )
}

function print(path: string, tree: Record<string, unknown>): string {
  const ending = endingOf(path)
  if (ending === '.toml') {
    throw new Fault(
      'unsupported',
      `${path}: filemgr reads TOML but does not write it; edit the file yourself.`,
    )
  }
  return ending === '.json'
    ? `${JSON.stringify(tree, null, 2)}\n`
    : `${Bun.YAML.stringify(tree, null, 2)}\n`
}

function flatten(tree: Record<string, unknown>, prefix = ''): [string, unknown][] {
  return Object.entries(tree).flatMap(([key, value]): [string, unknown][] =>
    isTable(value) ? flatten(value, `${prefix}${key}.`) : [[prefix + key, value]],
  )
}

function isTable(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Parsers name the place in different ways: a `line` property, or words in the message. */
function positionOf(cause: unknown, text: string): string {
  const words = messageOf(cause)
  const line = /line:? (\d+)/i.exec(words)?.[1]
  if (line) return `:${line}`
  const offset = /position (\d+)/i.exec(words)?.[1]
  if (offset) return `:${text.slice(0, Number(offset)).split('\n').length}`
  const known =
    typeof cause === 'object' && cause !== null && 'line' in cause ? cause.line : undefined
  return typeof known === 'number' && known > 0 ? `:${known}` : ''
}

function messageOf(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause)
}
