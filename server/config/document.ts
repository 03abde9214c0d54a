/** Reads and writes JSON, YAML and TOML files, recognised by their extensions. */
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname, extname } from 'node:path'
import { parse as parseToml, stringify as stringifyToml, TomlError } from 'smol-toml'
import { parseDocument, stringify as stringifyYaml, type Document as YamlDocument } from 'yaml'
import { Fault } from '#wire/fault.ts'
import { isFileBrowserDatabase } from './bolt-mark.ts'

export type DocumentTree = Record<string, unknown>

/** More lists inside each other than any option has. The parser takes seconds for thousands of them. */
const NESTED = /(?:-[ \t]+){32}|(?:[[{][ \t]*){32}/

export const ENDINGS = ['.yaml', '.yml', '.json', '.toml'] as const

/** @throws Fault notFound, and badRequest if it cannot be read or does not parse, with file and line */
export function readDocument(path: string): unknown {
  return parse(path, readFileText(path))
}

/**
 * Writes a document with access for its owner only, since it may contain secrets.
 *
 * @throws Fault badRequest for another extension or a list in TOML, forbidden if it cannot be written
 */
export function writeDocument(path: string, value: unknown): void {
  writeText(path, format(path, value))
}

/**
 * Changes one value of a file. A YAML file keeps its comments.
 *
 * @param text the current content; empty for a missing file, which is created
 * @param branch the names of the tables, from the outermost to the innermost, and of the value
 * @throws Fault badRequest if `text` does not parse, and as `writeDocument`
 */
export function editDocument(path: string, text: string, branch: string[], value: unknown): void {
  writeText(path, edit(path, text, branch, value))
}

/** @throws Fault notFound, and badRequest if it exists and cannot be read */
export function readFileText(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (cause) {
    if (!existsSync(path)) throw new Fault('notFound', `The file ${path} does not exist.`)
    throw new Fault('badRequest', `The file ${path} cannot be read.`, { cause })
  }
}

/** @throws Fault badRequest with file and line */
export function parse(path: string, text: string): unknown {
  return kindOf(path) === 'toml' ? parseTomlText(path, text) : parseYamlText(path, text).toJS()
}

export function isTree(value: unknown): value is DocumentTree {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function format(path: string, value: unknown): string {
  const kind = kindOf(path)
  if (kind === 'json') return `${JSON.stringify(value, null, 4)}\n`
  if (kind === 'yaml') return stringifyYaml(value, { indent: 4 })
  if (isTree(value)) return stringifyToml(value)
  throw new Fault('badRequest', `${path}: a TOML file cannot contain a list. Use JSON or YAML.`)
}

function writeText(path: string, text: string): void {
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
    writeFileSync(`${path}.new`, text, { mode: 0o600 })
    renameSync(`${path}.new`, path)
  } catch (cause) {
    throw new Fault('forbidden', `The file ${path} cannot be written.`, { cause })
  }
}

function edit(path: string, text: string, branch: string[], value: unknown): string {
  if (kindOf(path) === 'toml') {
    const tree = parseTomlText(path, text)
    setIn(tree, branch, value)
    return stringifyToml(tree)
  }
  const document = parseYamlText(path, text)
  document.setIn(branch, value)
  return kindOf(path) === 'json'
    ? `${JSON.stringify(document.toJS(), null, 2)}\n`
    : document.toString()
}

function setIn(tree: DocumentTree, branch: string[], value: unknown): void {
  const leaf = branch.at(-1) ?? ''
  let table = tree
  for (const name of branch.slice(0, -1)) {
    const next = isTree(table[name]) ? table[name] : {}
    table[name] = next
    table = next
  }
  table[leaf] = value
}

/**
 * JSON is a subset of YAML, so one parser reads both.
 *
 * @throws Fault badRequest with file and line
 */
function parseYamlText(path: string, text: string): YamlDocument {
  const nested = NESTED.exec(text)
  if (nested) {
    throw new Fault(
      'badRequest',
      `${path}:${lineAt(text, nested.index)}: Lists are nested too deeply here.`,
    )
  }
  const document = parseDocument(text, { prettyErrors: false })
  const [error] = document.errors
  if (!error) return document
  const line = error.linePos?.[0].line ?? lineAt(text, error.pos[0])
  throw invalid(path, line, error.message, error)
}

/** @throws Fault badRequest with file and line */
function parseTomlText(path: string, text: string): DocumentTree {
  try {
    return parseToml(text)
  } catch (cause) {
    if (!(cause instanceof TomlError)) throw cause
    const [reason] = cause.message.replace('Invalid TOML document: ', '').split('\n')
    throw invalid(path, cause.line, reason, cause)
  }
}

function invalid(path: string, line: number, reason: string | undefined, cause: Error): Fault {
  const kind = kindOf(path).toUpperCase()
  return new Fault('badRequest', `${path}:${line}: This is not valid ${kind}: ${reason}.`, {
    cause,
  })
}

/** @throws Fault badRequest for another extension */
function kindOf(path: string): 'yaml' | 'json' | 'toml' {
  const ending = extname(path).toLowerCase()
  if (ending === '.json') return 'json'
  if (ending === '.toml') return 'toml'
  if (ENDINGS.some((known) => known === ending)) return 'yaml'
  if (isFileBrowserDatabase(path)) {
    throw new Fault(
      'badRequest',
      `${path} is a database of File Browser. \`filemgr import ${path}\` imports it.`,
    )
  }
  throw new Fault('badRequest', `${path}: the file’s name must end in .yaml, .yml, .json or .toml.`)
}

function lineAt(text: string, offset: number): number {
  return text.slice(0, offset).split('\n').length
}
