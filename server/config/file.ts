/** The configuration file: where it is, what it says, and a change to it. */
import { existsSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { Fault } from '#wire/fault.ts'
import { ENDINGS, editDocument, isTree, parse, readText, type Tree } from './document.ts'
import { readName } from './spellings.ts'

/** What File Browser calls its file; it is understood as well (contract 9.3). */
const FILE_BROWSER_NAME = '.filebrowser'

/**
 * The operator's usual configuration file, ours or File Browser's, if there is one. The working
 * directory is never searched: it may be the served folder, where anybody's upload would become
 * configuration.
 */
export function findConfigFile(env: NodeJS.ProcessEnv): string | undefined {
  return configCandidates(env).find((path) => existsSync(path))
}

/** Every path at which a configuration file is looked for, the first that counts first. */
export function configCandidates(env: NodeJS.ProcessEnv): string[] {
  const home = env.HOME || homedir()
  const ours = configFolders(env).map((folder) => join(folder, 'config'))
  const theirs = [home, '/etc/filebrowser'].map((folder) => join(folder, FILE_BROWSER_NAME))
  return withEndings([...ours, ...theirs])
}

/** A configuration file of File Browser's in the working directory, where it used to be read from. */
export function strayConfigFile(): string | undefined {
  return withEndings([FILE_BROWSER_NAME]).find((path) => existsSync(path))
}

/** One value of a file: its name as the file spells it, nested names joined by a dot. */
export interface FileValue {
  name: string
  value: unknown
  /** `/etc/filemgr/config.yaml:12` */
  place: string
}

/**
 * Reads a file.
 *
 * @throws Fault badRequest, with file and line, for what does not parse or is no option; notFound
 */
export function readConfigFile(path: string): FileValue[] {
  const text = readText(path)
  const tree = parse(path, text) ?? {}
  if (!isTree(tree)) throw new Fault('badRequest', `${path}:1: a table of options is wanted here.`)
  return flatten(tree).map(([name, value]) => {
    const place = path + lineOf(text, name)
    if (!readName(name)) throw new Fault('badRequest', `${place}: ${name} is no option.`)
    return { name, value, place }
  })
}

/**
 * Writes one option, leaving the others. A YAML file keeps its comments.
 *
 * @throws Fault badRequest for a file that does not parse, forbidden
 */
export function writeConfigValue(path: string, key: string, value: unknown): void {
  editDocument(path, existsSync(path) ? readText(path) : '', key.split('.'), value)
}

function configFolders(env: NodeJS.ProcessEnv): string[] {
  const home = env.XDG_CONFIG_HOME || join(env.HOME || homedir(), '.config')
  return [join(home, 'filemgr'), '/etc/filemgr']
}

function withEndings(paths: string[]): string[] {
  return paths.flatMap((path) => ENDINGS.map((ending) => path + ending))
}

function flatten(tree: Tree, prefix = ''): [string, unknown][] {
  return Object.entries(tree).flatMap(([key, value]): [string, unknown][] =>
    isTree(value) ? flatten(value, `${prefix}${key}.`) : [[prefix + key, value]],
  )
}

/** Where in the file a key stands, as `:12`; empty when it cannot be told. */
function lineOf(text: string, key: string): string {
  const last = key.split('.').at(-1) ?? key
  const line = text.split('\n').findIndex((row) => row.toLowerCase().includes(last.toLowerCase()))
  return line < 0 ? '' : `:${line + 1}`
}
