import { expect, test } from 'bun:test'
import { FIRST_COUNT, firstNames } from '#server/storage/first-names.ts'
import { namesOf } from '#server/storage/folder-records.ts'
import { DT_DIR, DT_LNK, DT_UNKNOWN } from '#server/storage/read-folder.ts'

const DT_REG = 8

/** @param kinds how many names of each type; the names are a number and the first letter of the type */
function first(kinds: Record<number, number>, ascending = true): string[] | undefined {
  const types: number[] = []
  for (const [type, count] of Object.entries(kinds)) {
    for (let each = 0; each < count; each += 1) types.push(Number(type))
  }
  const letters: Record<number, string> = { [DT_DIR]: 'd', [DT_LNK]: 'l', [DT_REG]: 'f' }
  const names = types.map((type, index) => `${index} ${letters[type] ?? 'u'}\0`).join('')
  const found = firstNames({ names: new Uint8Array(Buffer.from(names)), types }, ascending)
  return found && namesOf({ names: found })
}

const countOf = (names: readonly string[] | undefined, letter: string) =>
  names?.filter((name) => name.endsWith(letter)).length

test('all links are included if the folders are few, with as many files as are needed', () => {
  const names = first({ [DT_DIR]: 6, [DT_REG]: 9000, [DT_LNK]: 900 })
  expect(countOf(names, 'd')).toBe(6)
  expect(countOf(names, 'l')).toBe(900)
  expect(countOf(names, 'f')).toBe(FIRST_COUNT - 6)
  expect(names).toEqual(names?.toSorted((a, b) => Number.parseInt(a, 10) - Number.parseInt(b, 10)))
})

test('links behind the first folders are left out, in both orders and however many they are', () => {
  const kinds = { [DT_DIR]: 400, [DT_LNK]: 9000 }
  expect(first(kinds)).toHaveLength(FIRST_COUNT)
  expect(countOf(first(kinds), 'd')).toBe(FIRST_COUNT)
  expect(first(kinds, false)).toBeUndefined()
})

test('with too many links, or without types, there are no first names', () => {
  expect(first({ [DT_REG]: 9000, [DT_LNK]: 1000 })).toHaveLength(FIRST_COUNT + 1000)
  expect(first({ [DT_REG]: 9000, [DT_LNK]: 1001 })).toBeUndefined()
  expect(first({ [DT_UNKNOWN]: 9000 })).toBeUndefined()
})
