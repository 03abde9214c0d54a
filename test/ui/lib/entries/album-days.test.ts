import { expect, test } from 'bun:test'
import { groupByDate } from '#ui/lib/entries/album-days.ts'
import { justify } from '#ui/lib/entries/justify.ts'
import type { Entry } from '#wire/api/entry.ts'

const entry = (name: string) => ({ name, modified: '2026-03-01T12:00:00Z' }) as Entry
const takenOn = (days: Record<string, string | undefined>) => (one: Entry) => {
  const taken = days[one.name]
  return taken === undefined ? undefined : { taken }
}

test('pictures are grouped by day, in ascending or descending order @spec-2.16', () => {
  const taken = {
    a: '2026-05-02T09:00:00',
    b: '2026-05-01T23:59:59+02:00',
    c: '2026-05-01T00:00:00',
  }
  const pictures = ['a', 'b', 'c', 'undated'].map(entry)
  const names = (asc: boolean) =>
    groupByDate(pictures, takenOn(taken), asc)?.map(({ items }) => items.map(({ name }) => name))
  expect(names(true)).toEqual([['undated'], ['c', 'b'], ['a']])
  expect(names(false)).toEqual([['a'], ['b', 'c'], ['undated']])
})

test('without a date from a camera there are no groups', () => {
  expect(groupByDate([entry('a')], () => undefined, true)).toBeUndefined()
  expect(groupByDate([], () => undefined, true)).toBeUndefined()
})

test('with many days pictures are grouped by month', () => {
  const pictures = Array.from({ length: 60 }, (_, at) => entry(`${at}`))
  const day = (at: number) => new Date(Date.UTC(2026, 0, 1 + at)).toISOString().slice(0, 10)
  const facts = ({ name }: Entry) => ({ taken: `${day(Number(name))}T12:00:00` })
  const groups = groupByDate(pictures, facts, true)
  expect(groups?.map(({ unit, items }) => [unit, items.length])).toEqual([
    ['month', 31],
    ['month', 28],
    ['month', 1],
  ])
})

test('days with one or two pictures each are grouped by month, unless they are few', () => {
  const unitOf = (days: number, perDay: number) => {
    const pictures = Array.from({ length: days * perDay }, (_, number) => entry(`${number}`))
    const facts = ({ name }: Entry) => ({ taken: `2026-01-${10 + (Number(name) % days)}T12:00:00` })
    return groupByDate(pictures, facts, true)?.[0]?.unit
  }
  expect(unitOf(5, 1)).toBe('day')
  expect(unitOf(6, 2)).toBe('month')
  expect(unitOf(6, 3)).toBe('day')
})

test('a row ends where the next day begins, even if it is not full', () => {
  const frame = { width: 1000, gap: 5, target: 200 }
  const ratios = Array.from({ length: 12 }, () => 1.5)
  const starts = justify(ratios, 0, frame, new Set([0, 1, 7])).map(({ start }) => start)
  expect(starts).toContain(1)
  expect(starts).toContain(7)
  const ends = justify(ratios, 0, frame, new Set([0, 1, 7])).map(({ end }) => end)
  expect(ends.slice(0, -1)).toEqual(starts.slice(1))
})
