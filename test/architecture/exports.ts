/** Exported names that no other file imports, and names that several files export. */
import { importsOf, type Source } from './sources.ts'

const EXPORTED =
  /^export (?:declare )?(?:abstract )?(?:async )?(?:(function\*?|const|let|class|interface|type|enum) (\w+)|(?:type )?\{([^}]*)\})/gm

/** Files that no file imports: the executable, the page, workers, and what tools load by its path. */
const ENTRIES =
  /^(?:cli\/main|ui\/main|ui\/vite\.config|ui\/worker\/.*|scripts\/.*)\.tsx?$|-worker\.ts$/

/**
 * A type counts as used if its own file mentions it again, because it may be a parameter or a result of a function.
 *
 * @returns `path: name` of each value that no other file imports, and of each type that no file uses
 */
export function unusedExports(code: readonly Source[], tests: readonly Source[]): string[] {
  const used = new Map<string, Set<string>>()
  for (const source of [...code, ...tests]) {
    for (const [target, names] of importedBy(source)) {
      const all = used.get(target) ?? new Set()
      for (const name of names) all.add(name)
      used.set(target, all)
    }
  }
  return code
    .filter(({ path }) => !ENTRIES.test(path))
    .flatMap(({ path, code: text }) => {
      const imported = used.get(path)
      return exportsOf(text)
        .filter((name) => !imported?.has(name) && !imported?.has('*'))
        .map((name) => `${path}: ${name}`)
    })
}

/** The requests of the interface are imported as a namespace: `shares.list`. */
const NAMESPACES = 'ui/api/'
/** Components that are named after their file, and whose file also names its styles. */
const COMPONENT = /\/([A-Z]\w*)\.tsx$/

/**
 * A component may have the same name as a type that it shows. The server and the interface may both export a name,
 * unless it is one of `server/wire`, which both import.
 *
 * @returns each name that several files export, with these files
 */
export function duplicateNames(code: readonly Source[]): string[] {
  const files = new Map<string, string[]>()
  for (const { path, code: text } of code) {
    if (path.startsWith(NAMESPACES) || path.startsWith('scripts/')) continue
    for (const [, , name = ''] of text.matchAll(EXPORTED)) {
      if (name === '' || COMPONENT.exec(path)?.[1] === name) continue
      files.set(name, [...(files.get(name) ?? []), path])
    }
  }
  return [...files]
    .filter(([, paths]) => {
      const inInterface = paths.filter((path) => path.startsWith('ui/')).length
      const inServer = paths.length - inInterface
      const isWire = paths.some((path) => path.startsWith('server/wire/'))
      return inInterface > 1 || inServer > 1 || (isWire && paths.length > 1)
    })
    .map(([name, paths]) => `${name}: ${paths.join(', ')}`)
}

function exportsOf(code: string): string[] {
  return [...code.matchAll(EXPORTED)].flatMap(([, kind, name = '', list]) => {
    if (list !== undefined) return namesIn(list, 'last')
    const isType = kind === 'interface' || kind === 'type'
    return isType && isMentionedAgain(code, name) ? [] : [name]
  })
}

function isMentionedAgain(code: string, name: string): boolean {
  return (code.match(new RegExp(`\\b${name}\\b`, 'g')) ?? []).length > 1
}

/** The files that a file imports, with the names that it imports from each; `*` means all. */
function importedBy(source: Source): [target: string, names: string[]][] {
  return importsOf(source).flatMap(({ target, text }): [string, string[]][] => {
    if (target === undefined) return []
    const [, namespace] = /\*\s+as\s+(\w+)/.exec(text) ?? []
    if (namespace) return [[target, [...membersOf(source.code, namespace)]]]
    const [, list] = /\{([^}]*)\}/.exec(text) ?? []
    // `import('x')`, whose result may be used in any way, or `import 'x'`.
    if (list === undefined) return [[target, ['*']]]
    return [[target, namesIn(list, 'first')]]
  })
}

function membersOf(code: string, name: string): Set<string> {
  return new Set(
    [...code.matchAll(new RegExp(`\\b${name}\\.(\\w+)`, 'g'))].map(([, member = '']) => member),
  )
}

/** The names of `{ a, type b, c as d }`: the first or the last of each `c as d`. */
function namesIn(list: string, which: 'first' | 'last'): string[] {
  return list
    .split(',')
    .map((item) => item.trim().replace(/^type /, ''))
    .filter((item) => item !== '')
    .map((item) => item.split(/\s+as\s+/))
    .map((parts) => (which === 'first' ? parts[0] : parts.at(-1)) ?? '')
}
