/** The source files as text, and what each of them imports. */
import { readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { REPO_ROOT } from '../support/executable.ts'

export interface Source {
  /** From the top of the repository, such as `server/wire/paths.ts`. */
  path: string
  /** The code with its comments blanked, lines and columns unmoved. */
  code: string
}

export interface Import {
  specifier: string
  /** The statement. */
  text: string
  typesOnly: boolean
  /** `path:line` */
  at: string
  /** The file it leads to, from the top of the repository; absent for a package. */
  target: string | undefined
}

const TOPS = ['server', 'cli', 'attacks', 'ui', 'scripts']

/** Every file below the top folders of code that `pattern` matches, in order; nothing generated. */
export function sources(pattern: string, tops: readonly string[] = TOPS): Source[] {
  const glob = new Bun.Glob(`{${tops.join(',')}}/**/${pattern}`)
  return [...glob.scanSync({ cwd: REPO_ROOT })]
    .filter((path) => !path.startsWith('ui/dist/') && !path.includes('.gen.'))
    .sort()
    .map((path) => ({ path, code: withoutComments(readFileSync(join(REPO_ROOT, path), 'utf8')) }))
}

const IMPORT =
  /\b(?:import|export)\s+(type\s+)?[\w*{][^'"`;()]*?\bfrom\s*'([^'$]+)'|\bimport\s+'([^'$]+)'|\b(typeof\s+)?import\s*\(\s*'([^'$]+)'\s*\)|\brequire\s*\(\s*'([^'$]+)'\s*\)/g

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

/** Where `pattern` (with the flag g) matches, as `path:line: text`. */
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

export function lineOf(text: string, index: number): number {
  return text.slice(0, index).split('\n').length
}

const COMMENT_OR_TEXT =
  /\/\*[\s\S]*?\*\/|(?<![:\\])\/\/[^\n]*|'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|`(?:\\.|[^`\\])*`/g

/** Blanks comments, so that a word in one counts for nothing; texts stay as they are. */
function withoutComments(text: string): string {
  return text.replace(COMMENT_OR_TEXT, (piece) =>
    piece.startsWith('/') ? piece.replace(/[^\n]/g, ' ') : piece,
  )
}
