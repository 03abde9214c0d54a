import { expect, test } from 'bun:test'
import { FIRST_COUNT, firstNames, UNCLEAR_MAX } from '#server/storage/local/read/first-names.ts'
import { namesOf } from '#server/storage/local/read/folder-records.ts'
import { DT_DIR, DT_LNK, DT_UNKNOWN } from '#server/storage/local/read/read-folder.ts'

const DT_REG = 8

interface Kind {
  /** The type of the names in the folder. */
  type: number
  count: number
  /** The names begin with it, so it decides which kind comes first. */
  letter: string
}

/** The names of a kind in ascending order: a letter and a number. */
function namesWith({ letter, count }: Kind): string[] {
  return Array.from({ length: count }, (_, index) => `${letter} ${index}`)
}

/** The first names of a folder that contains these names in no order. */
function first(kinds: readonly Kind[], ascending = true): string[] | undefined {
  const entries = kinds.flatMap((kind) =>
    namesWith(kind).map((name) => ({ name: `${name}\0`, type: kind.type })),
  )
  const shuffled = entries
    .map((entry) => ({ entry, order: Bun.hash(entry.name) }))
    .sort((a, b) => (a.order < b.order ? -1 : 1))
    .map(({ entry }) => entry)
  const names = new Uint8Array(Buffer.from(shuffled.map(({ name }) => name).join('')))
  const found = firstNames({ names, types: shuffled.map(({ type }) => type) }, ascending)
  return found && namesOf({ names: found })
}

const folders = (count: number) => ({ type: DT_DIR, count, letter: 'd' })
const files = (count: number) => ({ type: DT_REG, count, letter: 'f' })
/** Links whose names come after those of folders and files. */
const links = (count: number) => ({ type: DT_LNK, count, letter: 'l' })

test('with fewer folders than FIRST_COUNT: all folders, all links, and files until folders and files are FIRST_COUNT', () => {
  expect(first([folders(6), files(9000), links(900)])).toEqual([
    ...namesWith(folders(6)),
    ...namesWith(files(FIRST_COUNT - 6)),
    ...namesWith(links(900)),
  ])
})

test('in descending order the last names are the first', () => {
  expect(first([folders(6), files(9000), links(900)], false)).toEqual([
    ...namesWith(links(900)).reverse(),
    ...namesWith(files(9000))
      .slice(6 - FIRST_COUNT)
      .reverse(),
    ...namesWith(folders(6)).reverse(),
  ])
})

test('with FIRST_COUNT folders or more: the first of them, without files, and without the links after them', () => {
  expect(first([folders(400), files(9000), links(9000)])).toEqual(namesWith(folders(FIRST_COUNT)))
})

test('links before and among the first folders are included', () => {
  const before = { type: DT_LNK, count: 20, letter: 'a' }
  expect(first([before, folders(400), files(9000), links(9000)])).toEqual([
    ...namesWith(before),
    ...namesWith(folders(FIRST_COUNT)),
  ])
})

test('with more than UNCLEAR_MAX links before the last of the first folders, there are no first names', () => {
  const some = [folders(400), links(UNCLEAR_MAX), files(9000)]
  expect(first(some, false)).toHaveLength(UNCLEAR_MAX + FIRST_COUNT)
  expect(first([folders(400), links(UNCLEAR_MAX + 1), files(9000)], false)).toBeUndefined()
})

test('with fewer folders than FIRST_COUNT and more than UNCLEAR_MAX links, there are no first names', () => {
  expect(first([files(9000), links(UNCLEAR_MAX)])).toHaveLength(FIRST_COUNT + UNCLEAR_MAX)
  expect(first([files(9000), links(UNCLEAR_MAX + 1)])).toBeUndefined()
})

test('without types there are no first names', () => {
  expect(first([{ type: DT_UNKNOWN, count: 9000, letter: 'u' }])).toBeUndefined()
})
