/** The walls of the house: ARCHITECTURE.md says which they are, this proves that they stand. */
import { describe, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { allowedPackages, allowedRooms, ROOMS, roomOf, SINGLE_HOMES } from './architecture/rooms.ts'
import { findAll, type Import, importsOf, packageOf, sources } from './architecture/sources.ts'
import { selectorsOf } from './architecture/styles.ts'
import { HOUSE } from './support/executable.ts'

const code = sources('*.{ts,tsx}').filter(({ path }) => !path.endsWith('.d.ts'))
const styles = sources('*.css')

describe('rooms', () => {
  test('every source file belongs to a room', () => {
    expect(code.map(({ path }) => path).filter((path) => !roomOf(path))).toEqual([])
  })

  test('a room imports only what its row allows', () => {
    expect(code.flatMap((source) => importsOf(source).flatMap(trespass(source.path)))).toEqual([])
  })

  test('an import that leaves its room begins with #, one that stays begins with .', () => {
    expect(code.flatMap((source) => importsOf(source).flatMap(misspelling(source.path)))).toEqual(
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
    const strangers = code
      .filter(({ path }) => !path.startsWith(home) && !path.startsWith('scripts/'))
      .flatMap(importsOf)
      .filter(({ specifier }) => packageOf(specifier) === name)
    expect(strangers.map(show)).toEqual([])
  })

  test('ARCHITECTURE.md says the same', () => {
    const text = readFileSync(join(HOUSE, 'ARCHITECTURE.md'), 'utf8')
    const rows = text
      .split('\n')
      .filter((line) => /^\| `(server|cli|ui|scripts)/.test(line))
      .map((line) => line.split('|').map((cell) => cell.trim().replaceAll('`', '')))
      .map(([, room, purpose, rooms, packages]) => ({ room, purpose, rooms, packages }))
    expect(rows).toEqual(ROOMS)
  })
})

test('NOTICE names every package that the executable may contain', () => {
  const { dependencies } = JSON.parse(readFileSync(join(HOUSE, 'package.json'), 'utf8'))
  const notice = readFileSync(join(HOUSE, 'NOTICE'), 'utf8').split(/[\s,]+/)
  expect(Object.keys(dependencies).filter((name) => !notice.includes(name))).toEqual([])
})

describe('words', () => {
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

  test('directions are logical', () => {
    const physical =
      /(?<=[\s;{])(?:(?:scroll-)?(?:margin|padding)-|border-|inset-)?(?:left|right)(?:-\w+)*\s*:.*|border-(?:top|bottom)-(?:left|right)-radius.*|(?:text-align|float|clear)\s*:\s*(?:left|right)\b.*/g
    expect(styles.flatMap((source) => findAll(source, physical))).toEqual([])
  })

  test('a style sheet of a component or feature styles that one', () => {
    const parts = styles.filter(({ path }) => /^ui\/(components|features)\//.test(path))
    const strangers = parts.flatMap((source) => {
      const own = new RegExp(`^\\.${basename(source.path, '.css')}(?![A-Za-z0-9-])`)
      return selectorsOf(source).filter(({ text }) => !own.test(text))
    })
    expect(strangers.map(({ at, text }) => `${at}: ${text}`)).toEqual([])
  })
})

/** Says what is wrong with an import of the file at `path`; nothing when its row allows it. */
function trespass(path: string) {
  return (found: Import): string[] => {
    const own = roomOf(path)
    if (!own) return []
    if (found.target === undefined) {
      const allowed = allowedPackages(own).has(packageOf(found.specifier))
      return allowed ? [] : [`${show(found)} is no package of ${own.room}`]
    }
    const other = roomOf(found.target)
    if (other === own) return []
    const door = allowedRooms(own).get(other?.room ?? '')
    if (!door) return [`${show(found)} is closed to ${own.room}`]
    if (door.typesOnly && !found.typesOnly) return [`${show(found)} lets only types through`]
    return []
  }
}

/** `./x.ts` inside a room (and from the files above the rooms down into them), `#room/x.ts` across. */
function misspelling(path: string) {
  return (found: Import): string[] => {
    if (found.target === undefined) return []
    const relative = found.specifier.startsWith('.')
    const stays = roomOf(found.target) === roomOf(path)
    if (stays) return relative ? [] : [`${show(found)} stays in its room: ./`]
    const descends = found.specifier.startsWith('./')
    return relative && !descends ? [`${show(found)} leaves its room: #`] : []
  }
}

function show({ at, specifier }: Import): string {
  return `${at}: ${specifier}`
}
