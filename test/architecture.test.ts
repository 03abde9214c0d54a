/** The import rules of ARCHITECTURE.md, and rules for words and styles. */
import { describe, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { wrongCitationsIn } from './architecture/citations.ts'
import { cyclesIn } from './architecture/cycles.ts'
import { sharedNames, unusedExports } from './architecture/exports.ts'
import { allowedModules, allowedPackages, moduleOf } from './architecture/module-rules.ts'
import { goneState, stateIn } from './architecture/module-state.ts'
import { MODULES, SINGLE_HOMES } from './architecture/modules.ts'
import { retiredWordsIn } from './architecture/retired-words.ts'
import {
  findAll,
  type Import,
  importsOf,
  lineOf,
  packageOf,
  type Source,
  sources,
} from './architecture/sources.ts'
import { selectorsOf, unreadProperties, unsetProperties } from './architecture/styles.ts'
import { withTable } from './architecture/table.ts'
import { REPO_ROOT } from './support/executable.ts'

/** A file that is longer is nearly always two. */
const LINES_MAX = 300
/** One table each, of which two halves would be harder to read. */
const LONG_TABLES = ['ui/styles/tokens.css']

/** The policy, the accounts themselves, and what lists or edits accounts. */
const READS_ACCOUNTS = [
  'server/access/policy.ts',
  'server/accounts/',
  'server/http/routes/access.ts',
  'server/wire/filebrowser-import.ts',
  'server/config/live-options.ts',
  'attacks/',
  'cli/',
  'ui/features/settings/AccountFields.tsx',
  'ui/features/settings/UserForm.tsx',
  'ui/features/settings/UserList.tsx',
]

const code = sources('*.{ts,tsx}').filter(({ path }) => !path.endsWith('.d.ts'))
const styles = sources('*.css')
const tests = sources('*.{ts,tsx}', ['test'])

describe('modules', () => {
  test('every source file belongs to a module', () => {
    expect(code.map(({ path }) => path).filter((path) => !moduleOf(path))).toEqual([])
  })

  test('a module imports only what its row allows', () => {
    expect(
      code.flatMap((source) => importsOf(source).flatMap(forbiddenImports(source.path))),
    ).toEqual([])
  })

  test('an import of another module begins with #, one of the same module with .', () => {
    expect(code.flatMap((source) => importsOf(source).flatMap(wrongPrefixes(source.path)))).toEqual(
      [],
    )
  })

  test('a feature imports no other feature', () => {
    const cellOf = (path: string) => /^ui\/features\/([^/]+)\//.exec(path)?.[1]
    const crossing = code.flatMap((source) => {
      const cell = cellOf(source.path)
      return importsOf(source).filter(({ target }) => {
        const other = cellOf(target ?? '')
        return cell !== undefined && other !== undefined && other !== cell
      })
    })
    expect(crossing.map(show)).toEqual([])
  })

  test.each(Object.entries(SINGLE_HOMES))('%s is imported only in %s', (name, home) => {
    const others = code
      .filter(({ path }) => !path.startsWith(home) && !path.startsWith('scripts/'))
      .flatMap(importsOf)
      .filter(({ specifier }) => packageOf(specifier) === name)
    expect(others.map(show)).toEqual([])
  })

  test('ARCHITECTURE.md has the table of today (npm run modules)', () => {
    const text = readFileSync(join(REPO_ROOT, 'ARCHITECTURE.md'), 'utf8')
    expect(text).toBe(withTable(text))
  })

  test('no file is longer than 300 lines', () => {
    const long = [...code, ...styles].filter(
      ({ path, code }) => lineOf(code, code.length) - 1 > LINES_MAX && !LONG_TABLES.includes(path),
    )
    expect(long.map(({ path }) => path)).toEqual([])
  })

  test('every import that a row allows is used', () => {
    const unused = MODULES.flatMap((row) => {
      const imports = code.filter(({ path }) => moduleOf(path) === row).flatMap(importsOf)
      const modules = new Set(imports.map(({ target }) => moduleOf(target ?? '')?.module))
      const fonts = styles.filter(({ path }) => moduleOf(path) === row).flatMap(fontsOf)
      const used = [...imports.map(({ specifier }) => specifier), ...fonts]
      const packages = new Set(used.map(packageOf))
      const missing = [...allowedModules(row).keys()].filter((name) => !modules.has(name))
      const idle = [...allowedPackages(row)].filter((name) => !packages.has(name))
      return [...missing, ...idle].map((name) => `${row.module} never imports ${name}`)
    })
    expect(unused).toEqual([])
  })

  test('a module of the server keeps nothing between calls, but for what is named with its reason', () => {
    expect(code.flatMap(stateIn)).toEqual([])
    expect(goneState(code)).toEqual([])
  })

  test('whatever is exported is imported somewhere', () => {
    expect(unusedExports(code, tests)).toEqual([])
  })

  test('a statement of SQL with more than three parameters names them', () => {
    const crowded = code
      .flatMap((source) => findAll(source, /(['`])(?:SELECT|INSERT|UPDATE|DELETE)\b.*?\1/gs))
      .filter((text) => parametersIn(text) > 3)
    expect(crowded).toEqual([])
  })

  test('no file imports itself through others, not even for types', () => {
    expect(cyclesIn(new Map(code.map((source) => [source.path, targetsOf(source)])))).toEqual([])
  })
})

test('NOTICE names every package that the executable may contain', () => {
  const { dependencies } = JSON.parse(readFileSync(join(REPO_ROOT, 'package.json'), 'utf8'))
  const notice = readFileSync(join(REPO_ROOT, 'NOTICE'), 'utf8').split(/[\s,]+/)
  expect(Object.keys(dependencies).filter((name) => !notice.includes(name))).toEqual([])
})

describe('words', () => {
  test('no retired word is part of a name (docs/glossary.md)', () => {
    const all = [...code, ...styles, ...tests]
    expect(all.flatMap(retiredWordsIn)).toEqual([])
  })

  test('one name is exported by one file', () => {
    expect(sharedNames(code)).toEqual([])
  })

  test('each component file of the interface has a name of its own', () => {
    const names = code
      .map(({ path }) => path)
      .filter((path) => path.endsWith('.tsx'))
      .map((path) => basename(path))
    expect(names.filter((name, index) => names.indexOf(name) < index)).toEqual([])
  })

  test('a comment cites a document of docs/ and a heading that exists', () => {
    const all = [...code, ...styles, ...tests].filter(({ path }) => !path.includes('citations.ts'))
    expect(all.flatMap(({ path }) => wrongCitationsIn(path))).toEqual([])
  })

  test('nothing is exported as default', () => {
    const free = code.filter(({ path }) => path !== 'ui/vite.config.ts')
    const found = free.flatMap((source) =>
      findAll(source, /^export default\b.*|\bas default\b.*/gm),
    )
    expect(found).toEqual([])
  })

  test('nothing is typed any', () => {
    expect(code.flatMap((source) => findAll(source, /(?::|\bas|<|\|)\s*any\b.*/g))).toEqual([])
  })

  test('only the policy decides by the right of administrators; other files read it as data of an account', () => {
    const deciding = code.filter(
      ({ path }) => !READS_ACCOUNTS.some((name) => path.startsWith(name)),
    )
    expect(deciding.flatMap((source) => findAll(source, /\bperm\??\.admin\b.*/g))).toEqual([])
  })

  test('fields of a store are set with their types, which Object.assign does not compare', () => {
    const stores = code.filter(({ path }) => path.startsWith('ui/state/'))
    expect(stores.flatMap((source) => findAll(source, /\bObject\.assign\(.*/g))).toEqual([])
  })

  test('the limits of the interface are in the two tables of ui/lib', () => {
    const limit =
      /\bconst (?:[A-Z0-9_]+_(?:MAX|MIN|MS|BYTES|SECONDS|PIXELS|AT_ONCE)|KEPT|SHOWN|LISTED|NAMED) = -?[\d(].*/g
    const others = code.filter(
      ({ path }) => path.startsWith('ui/') && !/^ui\/lib\/(?:on-demand-)?limits\.ts$/.test(path),
    )
    expect(others.flatMap((source) => findAll(source, limit))).toEqual([])
  })

  test('only the terminal and the log speak to the console', () => {
    const speakers = ['cli/io.ts', 'server/http/log.ts', 'scripts/']
    const silent = code.filter(({ path }) => !speakers.some((name) => path.startsWith(name)))
    expect(silent.flatMap((source) => findAll(source, /\bconsole\.\w+/g))).toEqual([])
  })
})

describe('looks', () => {
  test('a colour is written in tokens.css', () => {
    const others = styles.filter(({ path }) => basename(path) !== 'tokens.css')
    const found = others.flatMap((source) =>
      findAll(source, /:[^;{}]*#[\da-f]{3,8}\b(?=[^{}]*[;}])/gi),
    )
    expect(found).toEqual([])
  })

  test('every custom property is read somewhere', () => {
    const interfaceCode = code.filter(({ path }) => path.startsWith('ui/'))
    expect(unreadProperties(styles, interfaceCode)).toEqual([])
  })

  test('every custom property that is read is set somewhere', () => {
    const interfaceCode = code.filter(({ path }) => path.startsWith('ui/'))
    expect(unsetProperties(styles, interfaceCode)).toEqual([])
  })

  test('directions are logical', () => {
    const physical =
      /(?<=[\s;{])(?:(?:scroll-)?(?:margin|padding)-|border-|inset-)?(?:left|right)(?:-\w+)*\s*:.*|border-(?:top|bottom)-(?:left|right)-radius.*|(?:text-align|float|clear)\s*:\s*(?:left|right)\b.*/g
    expect(styles.flatMap((source) => findAll(source, physical))).toEqual([])
  })

  test('a style sheet of a component or feature styles that one', () => {
    const parts = styles.filter(({ path }) => /^ui\/(components|features)\//.test(path))
    const foreign = parts.flatMap((source) => {
      const own = new RegExp(`^\\.${basename(source.path, '.css')}(?![A-Za-z0-9-])`)
      return selectorsOf(source).filter(({ text }) => !own.test(text))
    })
    expect(foreign.map(({ at, text }) => `${at}: ${text}`)).toEqual([])
  })
})

/** Says what is wrong with an import of the file at `path`; nothing when its row allows it. */
function forbiddenImports(path: string) {
  return (found: Import): string[] => {
    const own = moduleOf(path)
    if (!own) return []
    if (found.target === undefined) {
      const allowed = allowedPackages(own).has(packageOf(found.specifier))
      return allowed ? [] : [`${show(found)} is not a package of ${own.module}`]
    }
    const other = moduleOf(found.target)
    if (other === own) return []
    const importer = allowedModules(own).get(other?.module ?? '')
    if (!importer) return [`${show(found)} may not be imported by ${own.module}`]
    if (importer.typesOnly && !found.typesOnly)
      return [`${show(found)} may be imported for types only`]
    return []
  }
}

/** `./x.ts` inside a module (and from the files above the modules down into them), `#module/x.ts` across. */
function wrongPrefixes(path: string) {
  return (found: Import): string[] => {
    if (found.target === undefined) return []
    const relative = found.specifier.startsWith('.')
    const stays = moduleOf(found.target) === moduleOf(path)
    if (stays) return relative ? [] : [`${show(found)} is in the same module: ./`]
    const descends = found.specifier.startsWith('./')
    return relative && !descends ? [`${show(found)} is in another module: #`] : []
  }
}

function show({ at, specifier }: Import): string {
  return `${at}: ${specifier}`
}

function targetsOf(source: Source): string[] {
  return importsOf(source).flatMap(({ target }) =>
    target === undefined || target === source.path ? [] : [target],
  )
}

/** How many parameters a statement has that are counted: `?`, or `?1` however often. */
function parametersIn(statement: string): number {
  const all = statement.match(/\?\d*/g) ?? []
  const numbered = new Set(all.filter((parameter) => parameter !== '?'))
  return all.filter((parameter) => parameter === '?').length + numbered.size
}

/** The packages from which a style sheet takes fonts. */
function fontsOf({ code }: Source): string[] {
  return [...code.matchAll(/url\('(@[^']+)'\)/g)].map(([, specifier = '']) => specifier)
}
