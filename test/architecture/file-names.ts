/**
 * The names of files and folders in documents and comments: `server/wire/routes.ts`, `ui/state/`, `wire/fault.ts`.
 *
 * In a document, a name is in backticks. It begins with a folder of the repository, or it is a file of TypeScript; then the
 * top folder `server/` or `ui/` may be missing. In ARCHITECTURE.md the extension may be missing too, so there a name may
 * begin with any folder of `server/` or `ui/`. `<noun>` and `*` stand for any text without a slash.
 */
import { readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { REPO_ROOT } from '../support/server/executable.ts'
import { lineOf, type Source } from './sources.ts'

const TOP_FOLDERS = ['server', 'ui', 'cli', 'attacks', 'scripts', 'test', 'docs']
const CODE_BLOCK = /^```[\s\S]*?^```/gm
const IN_BACKTICKS = /`((?:[\w<>*.-]+\/)*[\w<>*.-]*[\w>*]\/?)`/g
const TYPESCRIPT = /[\w>*]\.tsx?$/
const IN_COMMENT = /(?<![\w/.#@*-])(?:[\w-]+\/)*[\w-][\w.-]+\.tsx?\b/g
/** What the build writes. */
const BUILT = /(?:^|\/)dist(?:\/|$)|\.gen\.ts$/

const existing = [
  ...TOP_FOLDERS,
  ...new Bun.Glob(`{${TOP_FOLDERS.join(',')}}/**/*`).scanSync(scanOptions()),
]
const withoutExtension = existing.map((path) => path.replace(/\.tsx?$/, ''))
const baseNames = new Set(existing.map((path) => basename(path)))
const moduleFolders = new Set(
  [...new Bun.Glob('{server,ui}/*/').scanSync(scanOptions())].map((path) => basename(path)),
)

/** @returns each name in the document that neither a file nor a folder of the repository has */
export function wrongNamesIn(document: string): string[] {
  const text = readFileSync(join(REPO_ROOT, document), 'utf8').replace(CODE_BLOCK, (block) =>
    block.replace(/[^\n]/g, ' '),
  )
  const isArchitecture = document === 'ARCHITECTURE.md'
  return [...text.matchAll(IN_BACKTICKS)]
    .map(({ 1: name = '', index }) => ({ name, index }))
    .filter(({ name }) => isFileName(name, isArchitecture) && !exists(name, isArchitecture))
    .map(({ name, index }) => `${document}:${lineOf(text, index)}: there is no ${name}`)
}

/** @returns each name of a file of TypeScript in a comment that no file has; leading folders may be missing */
export function wrongNamesInComments({ path, code }: Source): string[] {
  const text = readFileSync(join(REPO_ROOT, path), 'utf8')
  return [...text.matchAll(IN_COMMENT)]
    .filter(({ 0: name, index }) => code.slice(index, index + name.length).trim() === '')
    .filter(({ 0: name }) => !BUILT.test(name) && !isEndOfPath(name))
    .map(({ 0: name, index }) => `${path}:${lineOf(text, index)}: there is no ${name}`)
}

function isFileName(name: string, isArchitecture: boolean): boolean {
  const [first = ''] = name.split('/')
  if (name.includes('/') && TOP_FOLDERS.includes(first)) return true
  if (TYPESCRIPT.test(name)) return true
  return isArchitecture && name.includes('/') && moduleFolders.has(first)
}

function exists(name: string, mayLackExtension: boolean): boolean {
  if (BUILT.test(name)) return true
  const path = name.replace(/\/$/, '')
  const pattern = path
    .split(/<\w+>|\*/)
    .map((part) => part.replaceAll('.', '\\.'))
    .join('[^/]+')
  const top = path.includes('/') ? '(?:server/|ui/)?' : '(?:.*/)?'
  const isNamed = (file: string) => new RegExp(`^${top}${pattern}$`).test(file)
  return existing.some(isNamed) || (mayLackExtension && withoutExtension.some(isNamed))
}

function isEndOfPath(name: string): boolean {
  if (!name.includes('/')) return baseNames.has(name)
  return existing.some((path) => path === name || path.endsWith(`/${name}`))
}

function scanOptions() {
  return { cwd: REPO_ROOT, onlyFiles: false }
}
