/** The source files as text, and what each of them imports. */
import { readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { REPO_ROOT } from '../support/server/executable.ts'

export interface Source {
  /** Relative to the repository root, such as `server/wire/paths.ts`. */
  path: string
  /** The code with spaces instead of comments, so that lines and columns are those of the file. */
  code: string
}

export interface Import {
  specifier: string
  /** The text of the import, from the keyword to the specifier. */
  text: string
  typesOnly: boolean
  /** `path:line` */
  at: string
  /** The imported file, relative to the repository root; undefined for a package. */
  target: string | undefined
}

/** The folders at the repository root that contain code, without the tests. */
const CODE_FOLDERS = ['server', 'cli', 'attacks', 'ui', 'scripts']

/**
 * The files in these folders whose names match the pattern, sorted by path, without generated files.
 *
 * @param pattern a glob, such as `*.css`
 * @param folders at the repository root
 */
export function sources(pattern: string, folders: readonly string[] = CODE_FOLDERS): Source[] {
  const glob = new Bun.Glob(`{${folders.join(',')}}/**/${pattern}`)
  return [...glob.scanSync({ cwd: REPO_ROOT })]
    .filter((path) => !path.startsWith('ui/dist/') && !path.includes('.gen.'))
    .sort()
    .map((path) => ({ path, code: withoutComments(readFileSync(join(REPO_ROOT, path), 'utf8')) }))
}

const IMPORT =
  /\b(?:import|export)\s+(type\s+)?[\w*{][^'"`;()]*?\bfrom\s*'([^'$]+)'|\bimport\s+'([^'$]+)'|\b(typeof\s+)?import\s*\(\s*'([^'$]+)'\s*\)|\brequire\s*\(\s*'([^'$]+)'\s*\)/g

/** The imports and re-exports of a file, also those of types and on demand. */
export function importsOf({ path, code }: Source): Import[] {
  return [...code.matchAll(IMPORT)].map((match) => {
    const specifier = match[2] ?? match[3] ?? match[5] ?? match[6] ?? ''
    return {
      specifier,
      text: match[0],
      typesOnly: match[1] !== undefined || match[4] !== undefined,
      at: `${path}:${lineOf(code, match.index)}`,
      target: targetOf(path, specifier),
    }
  })
}

/** The package of a specifier: `hono/cookie` belongs to `hono`, `node:fs/promises` to `node:fs`. */
export function packageOf(specifier: string): string {
  return specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/')
}

/** @returns each match of `pattern`, which has the flag g, as `path:line: text` */
export function findAll({ path, code }: Source, pattern: RegExp): string[] {
  return [...code.matchAll(pattern)].map(
    (match) => `${path}:${lineOf(code, match.index)}: ${match[0].trim()}`,
  )
}

function targetOf(importer: string, specifier: string): string | undefined {
  if (specifier.startsWith('.')) return normalize(join(dirname(importer), specifier))
  if (specifier.startsWith('#wire/')) return specifier.replace('#wire/', 'server/wire/')
  if (specifier.startsWith('#')) return specifier.slice(1)
  return undefined
}

/** The number of the line of a position in a text, from 1. */
export function lineOf(text: string, index: number): number {
  return text.slice(0, index).split('\n').length
}

const COMMENT_OR_TEXT =
  /\/\*[\s\S]*?\*\/|(?<![:\\])\/\/[^\n]*|'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|`(?:\\.|[^`\\])*`/g

/** Replaces comments by spaces, so that the rules do not read them. String literals stay. */
function withoutComments(text: string): string {
  return text.replace(COMMENT_OR_TEXT, (match) =>
    match.startsWith('/') ? match.replace(/[^\n]/g, ' ') : match,
  )
}
