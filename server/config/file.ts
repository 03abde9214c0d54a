/** The configuration file: finds, reads and changes it. */
import { accessSync, constants, existsSync, realpathSync, statSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { userFolders } from '#server/os/user-folders.ts'
import { Fault } from '#wire/fault.ts'
import { resolveName } from './aliases.ts'
import {
  type DocumentTree,
  ENDINGS,
  editDocument,
  isTree,
  parse,
  readFileText,
} from './document.ts'

/** The name of File Browser's file, which is accepted too (docs/api.md 9.3). */
const FILE_BROWSER_NAME = '.filebrowser'

/** @returns the operator's configuration file, ours or File Browser's, if there is one */
export function findConfigFile(env: NodeJS.ProcessEnv): string | undefined {
  return configCandidates(env).find((path) => existsSync(path))
}

/** All paths where a configuration file is searched, in order. */
export function configCandidates(env: NodeJS.ProcessEnv): string[] {
  const home = env.HOME || homedir()
  const ours = userFolders(env).config.map((folder) => join(folder, 'config'))
  // On Windows every account may create such a folder.
  const ofSystem = process.platform === 'win32' ? [] : ['/etc/filebrowser']
  const fileBrowserFiles = [home, ...ofSystem].map((folder) => join(folder, FILE_BROWSER_NAME))
  return withEndings([...ours, ...fileBrowserFiles])
}

/** A configuration file of File Browser in the working folder (docs/api.md 9.3). */
export function configFileInWorkingDirectory(): string | undefined {
  return withEndings([resolve(FILE_BROWSER_NAME)]).find((path) => existsSync(path))
}

/** Who other than the operator may have written a file: other accounts of the system, or users of a served folder. */
export type OtherWriters = 'accounts' | 'users'

/**
 * Finds out who other than the operator may have written a file: users, if it is in a folder that is or was served;
 * or other system accounts except root.
 *
 * @param root the served folder, if known
 */
export function otherWritersOf(path: string, root: string | undefined): OtherWriters | undefined {
  const { uid, mode } = statSync(path)
  // On Windows, a file inherits the access of its folder, and node:fs knows neither its owner nor who may write it.
  const account = process.getuid?.()
  const isOwned = uid === 0 || uid === account
  if (account !== undefined && (!isOwned || (mode & 0o022) !== 0)) return 'accounts'
  const folders = foldersAbove(realpathSync(path))
  if (folders.some((folder) => existsSync(join(folder, SERVED_MARK)))) return 'users'
  const isServed = root !== undefined && existsSync(root) && folders.includes(realpathSync(root))
  return isServed ? 'users' : undefined
}

/** Whether this system account may write the file, or create it and the folders above it. */
export function isCreatable(path: string): boolean {
  const nearestExisting = [path, ...foldersAbove(path)].find((source) => existsSync(source))
  try {
    accessSync(nearestExisting ?? '/', constants.W_OK)
    return true
  } catch {
    return false
  }
}

/** The private folder, which marks a folder that was served. */
const SERVED_MARK = '.filemgr'

function foldersAbove(path: string): string[] {
  const folder = dirname(path)
  return folder === path ? [] : [folder, ...foldersAbove(folder)]
}

/** A value of a file; nested names are joined by dots. */
export interface FileValue {
  name: string
  value: unknown
  /** `/etc/filemgr/config.yaml:12` */
  source: string
}

/**
 * Reads a configuration file.
 *
 * @throws Fault badRequest with file and line for a syntax error or an unknown option; notFound
 */
export function readConfigFile(path: string): FileValue[] {
  const text = readFileText(path)
  const tree = parse(path, text) ?? {}
  if (!isTree(tree))
    throw new Fault('badRequest', `${path}:1: the file must contain options with values.`)
  return flatten(tree).map(([name, value]) => {
    const source = path + lineOf(text, name)
    if (!resolveName(name)) throw new Fault('badRequest', `${source}: ${name} is not an option.`)
    return { name, value, source }
  })
}

/**
 * Writes one option. A YAML file keeps its comments.
 *
 * @throws Fault badRequest for a file that does not parse, forbidden
 */
export function writeConfigValue(path: string, key: string, value: unknown): void {
  editDocument(path, existsSync(path) ? readFileText(path) : '', key.split('.'), value)
}

function withEndings(paths: string[]): string[] {
  return paths.flatMap((path) => ENDINGS.map((ending) => path + ending))
}

function flatten(tree: DocumentTree, prefix = ''): [string, unknown][] {
  return Object.entries(tree).flatMap(([key, value]): [string, unknown][] =>
    isTree(value) ? flatten(value, `${prefix}${key}.`) : [[prefix + key, value]],
  )
}

/** The first line that gives the last part of a key a value, as `:12`; empty if there is none. */
function lineOf(text: string, key: string): string {
  const last = (key.split('.').at(-1) ?? key).replace(/\W/g, '\\$&')
  const assigned = new RegExp(`^[^#]*(?<![\\w-])${last}["']?\\s*[:=]`, 'i')
  const line = text.split('\n').findIndex((row) => assigned.test(row))
  return line < 0 ? '' : `:${line + 1}`
}
