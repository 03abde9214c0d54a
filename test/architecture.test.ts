/** The import rules of ARCHITECTURE.md, and rules for names, code and styles. */
import { describe, expect, test } from 'bun:test'
import { readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { wrongCitationsIn } from './architecture/citations.ts'
import { cyclesIn } from './architecture/cycles.ts'
import { wrongIndexEntries, wrongLinksIn } from './architecture/document-links.ts'
import { duplicateNames, unusedExports } from './architecture/exports.ts'
import { wrongNamesIn, wrongNamesInComments } from './architecture/file-names.ts'
import { GENERATED } from './architecture/generated.ts'
import { longCode, tinyFiles } from './architecture/lengths.ts'
import { wrongGroups } from './architecture/module-list.ts'
import { allowedModules, allowedPackages, moduleOf } from './architecture/module-rules.ts'
import { missingState, stateIn } from './architecture/module-state.ts'
import { MODULES, SINGLE_HOMES } from './architecture/modules.ts'
import { quarantineFaults } from './architecture/quarantine.ts'
import { retiredWordsIn } from './architecture/retired-words.ts'
import {
  findAll,
  type Import,
  importsOf,
  packageOf,
  type Source,
  sources,
} from './architecture/sources.ts'
import { selectorsOf, unreadProperties, unsetProperties } from './architecture/styles.ts'
import { REPO_ROOT } from './support/server/executable.ts'

/** The policy, and code that stores, lists, imports or edits accounts. */
const READS_ACCOUNTS = [
  'server/access/policy.ts',
  'server/accounts/',
  'server/http/routes/access.ts',
  'server/lib/filebrowser-rights.ts',
  'server/config/live-options.ts',
  'attacks/',
  'cli/',
  'ui/features/settings/users/AccountFields.tsx',
  'ui/features/settings/users/UserForm.tsx',
  'ui/features/settings/users/UserList.tsx',
]

const DOCUMENTS = [
  ...['ARCHITECTURE.md', 'CONTRIBUTING.md', 'SECURITY.md', 'README.md'],
  ...readdirSync(join(REPO_ROOT, 'docs')).flatMap((name) =>
    name.endsWith('.md') ? [`docs/${name}`] : [],
  ),
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

  test('an import from another module begins with #, an import from the same module with .', () => {
    expect(code.flatMap((source) => importsOf(source).flatMap(wrongPrefixes(source.path)))).toEqual(
      [],
    )
  })

  test('a feature imports no other feature', () => {
    const featureOf = (path: string) => /^ui\/features\/([^/]+)\//.exec(path)?.[1]
    const crossing = code.flatMap((source) => {
      const own = featureOf(source.path)
      return importsOf(source).filter(({ target }) => {
        const other = featureOf(target ?? '')
        return own !== undefined && other !== undefined && other !== own
      })
    })
    expect(crossing.map(show)).toEqual([])
  })

  test.each(Object.entries(SINGLE_HOMES))(
    'outside of scripts, %s is imported only in %s',
    (name, home) => {
      const others = code
        .filter(({ path }) => !path.startsWith(home) && !path.startsWith('scripts/'))
        .flatMap(importsOf)
        .filter(({ specifier }) => packageOf(specifier) === name)
      expect(others.map(show)).toEqual([])
    },
  )

  test('each module is in one group of ARCHITECTURE.md', () => {
    expect(wrongGroups()).toEqual([])
  })

  test('every import that a row allows is used', () => {
    const unused = MODULES.flatMap((row) => {
      const imports = code.filter(({ path }) => moduleOf(path) === row).flatMap(importsOf)
      const modules = new Set(imports.map(({ target }) => moduleOf(target ?? '')?.module))
      const fonts = styles.filter(({ path }) => moduleOf(path) === row).flatMap(fontsOf)
      const used = [...imports.map(({ specifier }) => specifier), ...fonts]
      const packages = new Set(used.map(packageOf))
      const unusedModules = [...allowedModules(row).keys()].filter((name) => !modules.has(name))
      const unusedPackages = [...allowedPackages(row)].filter((name) => !packages.has(name))
      return [...unusedModules, ...unusedPackages].map(
        (name) => `${row.module} never imports ${name}`,
      )
    })
    expect(unused).toEqual([])
  })

  test('a module of the server has no state at its top level, except for intended state with its reason', () => {
    expect(code.flatMap(stateIn)).toEqual([])
    expect(missingState(code)).toEqual([])
  })

  test('every exported value is imported by another file, and every exported type is used', () => {
    expect(unusedExports(code, tests)).toEqual([])
  })

  test('an SQL statement with more than three parameters names them', () => {
    const unnamed = code
      .flatMap((source) => findAll(source, /(['`])(?:SELECT|INSERT|UPDATE|DELETE)\b.*?\1/gs))
      .filter((text) => parametersIn(text) > 3)
    expect(unnamed).toEqual([])
  })

  test('imports have no cycles, not even imports of types', () => {
    expect(cyclesIn(new Map(code.map((source) => [source.path, targetsOf(source)])))).toEqual([])
  })
})

test('NOTICE names every package that the executable may contain', () => {
  const { dependencies } = JSON.parse(readFileSync(join(REPO_ROOT, 'package.json'), 'utf8'))
  const notice = readFileSync(join(REPO_ROOT, 'NOTICE'), 'utf8').split(/[\s,]+/)
  expect(Object.keys(dependencies).filter((name) => !notice.includes(name))).toEqual([])
})

describe('names and code', () => {
  test('no retired word is part of a name (docs/glossary.md)', () => {
    const all = [...code, ...styles, ...tests]
    expect(all.flatMap(retiredWordsIn)).toEqual([])
  })

  test('no two files of the server or of the interface export the same name', () => {
    expect(duplicateNames(code)).toEqual([])
  })

  test('no two component files of the interface have the same file name', () => {
    const names = code
      .map(({ path }) => path)
      .filter((path) => path.endsWith('.tsx'))
      .map((path) => basename(path))
    expect(names.filter((name, index) => names.indexOf(name) < index)).toEqual([])
  })

  test('every document in docs/ and every heading that a comment cites exists', () => {
    const all = [...code, ...styles, ...tests].filter(({ path }) => !path.includes('citations.ts'))
    expect(all.flatMap(({ path }) => wrongCitationsIn(path))).toEqual([])
  })

  test('every file and folder that a document or a comment names exists', () => {
    // The tests of the rules have invented files.
    const all = [...code, ...tests].filter(({ path }) => !path.startsWith('test/architecture'))
    expect([...DOCUMENTS.flatMap(wrongNamesIn), ...all.flatMap(wrongNamesInComments)]).toEqual([])
  })

  test.each(Object.entries(GENERATED))('%s is up to date (npm run modules)', (name, generate) => {
    const text = readFileSync(join(REPO_ROOT, name), 'utf8')
    expect(text).toBe(generate(text))
  })

  test('every file and heading that a document links to exists', () => {
    expect(DOCUMENTS.flatMap(wrongLinksIn)).toEqual([])
  })

  test('each decision of docs/decisions.md is in its index, once', () => {
    expect(wrongIndexEntries()).toEqual([])
  })

  test('nothing is exported as default', () => {
    const free = code.filter(({ path }) => path !== 'ui/vite.config.ts')
    const found = free.flatMap((source) =>
      findAll(source, /^export default\b.*|\bas default\b.*/gm),
    )
    expect(found).toEqual([])
  })

  test('no type is any', () => {
    expect(code.flatMap((source) => findAll(source, /(?::|\bas|<|\|)\s*any\b.*/g))).toEqual([])
  })

  test('only the policy and code that handles accounts read the right admin', () => {
    const deciding = code.filter(
      ({ path }) => !READS_ACCOUNTS.some((name) => path.startsWith(name)),
    )
    expect(deciding.flatMap((source) => findAll(source, /\bperm\??\.admin\b.*/g))).toEqual([])
  })

  test('ui/state does not use Object.assign, which does not check the types of fields', () => {
    const stores = code.filter(({ path }) => path.startsWith('ui/state/'))
    expect(stores.flatMap((source) => findAll(source, /\bObject\.assign\(.*/g))).toEqual([])
  })

  test('the numeric limits of the interface are in limits.ts and on-demand-limits.ts of ui/lib', () => {
    const limit =
      /\bconst (?:[A-Z0-9_]+_(?:MAX|MIN|MS|BYTES|SECONDS|PIXELS|AT_ONCE)|KEPT|SHOWN|LISTED|NAMED) = -?[\d(].*/g
    const others = code.filter(
      ({ path }) => path.startsWith('ui/') && !/^ui\/lib\/(?:on-demand-)?limits\.ts$/.test(path),
    )
    expect(others.flatMap((source) => findAll(source, limit))).toEqual([])
  })

  test('only the command line, the log and scripts use the console', () => {
    const writers = ['cli/io.ts', 'server/http/observation/log.ts', 'scripts/']
    const others = code.filter(({ path }) => !writers.some((name) => path.startsWith(name)))
    expect(others.flatMap((source) => findAll(source, /\bconsole\.\w+/g))).toEqual([])
  })
})

describe('quarantine', () => {
  test('at most five tests are in quarantine, and none for more than 14 days', () => {
    // The tests of the check and of this rule have invented titles.
    const real = tests.filter(({ path }) => !/^test\/(?:scripts|architecture)\b/.test(path))
    expect(quarantineFaults(real, Date.now())).toEqual([])
  })

  test('a quarantine that is too old or has no date is reported, and so are six of them', () => {
    const today = Date.parse('2026-11-28')
    const titled = (...tags: string[]) =>
      tags.map((tag) => ({ path: 'test/a.test.ts', code: `test('a file opens @${tag}')` }))
    const faults = (...tags: string[]) => quarantineFaults(titled(...tags), today)
    expect(faults('quarantine-2026-11-14')).toEqual([])
    expect(faults('quarantine-2026-11-13')).toEqual(['test/a.test.ts: quarantine since 2026-11-13'])
    expect(faults('quarantine-soon')).toEqual(['test/a.test.ts: quarantine since soon'])
    expect(faults(...Array(6).fill('quarantine-2026-11-28'))).toEqual(['6 tests are in quarantine'])
  })
})

describe('styles', () => {
  test('only tokens.css contains colours', () => {
    const others = styles.filter(({ path }) => basename(path) !== 'tokens.css')
    const found = others.flatMap((source) =>
      findAll(
        source,
        /:[^;{}]*(?:#[\da-f]{3,8}\b|\b(?:rgb|hsl|hwb|(?:ok)?l(?:ab|ch)|color)a?\()(?=[^{}]*[;}])/gi,
      ),
    )
    expect(found).toEqual([])
  })

  test('every custom property that a style sheet sets is read', () => {
    const interfaceCode = code.filter(({ path }) => path.startsWith('ui/'))
    expect(unreadProperties(styles, interfaceCode)).toEqual([])
  })

  test('every custom property that a style sheet reads without a default is set', () => {
    const interfaceCode = code.filter(({ path }) => path.startsWith('ui/'))
    expect(unsetProperties(styles, interfaceCode)).toEqual([])
  })

  test('style sheets use logical directions, such as inline-start, and never left or right', () => {
    const physical =
      /(?<=[\s;{])(?:(?:scroll-)?(?:margin|padding)-|border-|inset-)?(?:left|right)(?:-\w+)*\s*:.*|border-(?:top|bottom)-(?:left|right)-radius.*|(?:text-align|float|clear)\s*:\s*(?:left|right)\b.*/g
    expect(styles.flatMap((source) => findAll(source, physical))).toEqual([])
  })

  test('every selector in the style sheet of a component or feature begins with its class', () => {
    const ownStyles = styles.filter(({ path }) => /^ui\/(components|features)\//.test(path))
    const foreign = ownStyles.flatMap((source) => {
      const own = new RegExp(`^\\.${basename(source.path, '.css')}(?![A-Za-z0-9-])`)
      return selectorsOf(source).filter(({ text }) => !own.test(text))
    })
    expect(foreign.map(({ at, text }) => `${at}: ${text}`)).toEqual([])
  })
})

describe('lengths, which `npm run modules` lists', () => {
  const body = (lines: number, indent = '  ') => `${indent}work()\n`.repeat(lines)
  const fileOf = (code: string, path = 'server/a.ts') => ({ path, code })

  test('a function counts from its head to its last brace; calls and objects do not count', () => {
    const long = `export async function act(\n  first: string,\n): Promise<void> {\n${body(58)}}\n`
    const short = `function act(): void {\n${body(58)}}\n`
    expect(longCode([fileOf(long)])).toEqual(['server/a.ts:1: act, 62 lines'])
    expect(longCode([fileOf(short), fileOf(`act({\n${body(70)}})\n`)])).toEqual([])
  })

  test('a component may be longer than a function, and a class is longer than its methods', () => {
    const component = (lines: number) => `export function Bar() {\n${body(lines)}}\n`
    const methods = `  one(): void {\n${body(59, '    ')}  }\n`.repeat(7)
    expect(longCode([fileOf(component(70), 'ui/Bar.tsx')])).toEqual([])
    expect(longCode([fileOf(component(79), 'ui/Bar.tsx')])).toEqual(['ui/Bar.tsx:1: Bar, 81 lines'])
    expect(longCode([fileOf(`export class Big {\n${methods}}\n`)]).slice(0, 2)).toEqual([
      'server/a.ts:1: class Big, 429 lines',
      'server/a.ts:2: one, 61 lines',
    ])
  })

  test('a file with one small function is listed if a single file imports it', () => {
    const tiny = fileOf(`export function act(): void {\n${body(2)}}\n`)
    const user = (path: string) => fileOf("import { act } from './a.ts'\nact()\n", path)
    expect(tinyFiles([tiny, user('server/b.ts')])).toEqual(['server/a.ts'])
    expect(tinyFiles([tiny, user('server/b.ts'), user('server/c.ts')])).toEqual([])
    expect(tinyFiles([fileOf(`${tiny.code}export const ONE = 1\n`), user('server/b.ts')])).toEqual(
      [],
    )
  })
})

/** Returns a function that reports an import of the file at `path` which the row of its module does not allow. */
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
    const allowed = allowedModules(own).get(other?.module ?? '')
    if (!allowed) return [`${show(found)} may not be imported by ${own.module}`]
    if (allowed.typesOnly && !found.typesOnly)
      return [`${show(found)} may be imported for types only`]
    return []
  }
}

/**
 * Returns a function that reports an import of the file at `path` with the wrong prefix: `./` or `../` inside a module,
 * `#` between modules. Files above the modules may also use `./`.
 */
function wrongPrefixes(path: string) {
  return (found: Import): string[] => {
    if (found.target === undefined) return []
    const isRelative = found.specifier.startsWith('.')
    const isSameModule = moduleOf(found.target) === moduleOf(path)
    if (isSameModule) return isRelative ? [] : [`${show(found)} is in the same module: ./`]
    const isBelow = found.specifier.startsWith('./')
    return isRelative && !isBelow ? [`${show(found)} is in another module: #`] : []
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

/** The number of parameters without a name in an SQL statement: each `?`, and each number of `?1`, `?2`, … once. */
function parametersIn(statement: string): number {
  const all = statement.match(/\?\d*/g) ?? []
  const numbered = new Set(all.filter((parameter) => parameter !== '?'))
  return all.filter((parameter) => parameter === '?').length + numbered.size
}

/** The paths in packages from which a style sheet loads fonts. */
function fontsOf({ code }: Source): string[] {
  return [...code.matchAll(/url\('(@[^']+)'\)/g)].map(([, specifier = '']) => specifier)
}
