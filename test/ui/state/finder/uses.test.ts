import { beforeEach, expect, test } from 'bun:test'
import '../../browser.ts'
import { countUse, usesByPath } from '#ui/state/finder/uses.ts'
import { parsePath } from '#wire/paths.ts'

const at = (path: string) => parsePath(path)

beforeEach(() => {
  localStorage.clear()
  countUse(at('/other'))
})

test('each opening counts, and a reload does not', () => {
  for (const path of ['/a', '/a', '/b', '/a']) countUse(at(path))
  const uses = usesByPath()
  expect([uses(at('/a')), uses(at('/b')), uses(at('/c'))]).toEqual([2, 1, 0])
})

test('the counts have a maximum, and older uses count less than new ones', () => {
  for (let time = 0; time < 20; time += 1) {
    countUse(at('/early'))
    countUse(at('/b'))
  }
  for (let time = 0; time < 100; time += 1) {
    countUse(at('/late'))
    countUse(at('/c'))
  }
  const uses = usesByPath()
  expect(uses(at('/late'))).toBeLessThanOrEqual(32)
  expect(uses(at('/late'))).toBeGreaterThan(uses(at('/early')))
})

test('a limited number of paths is stored, those opened last', () => {
  for (let one = 0; one < 400; one += 1) countUse(at(`/${one}`))
  const uses = usesByPath()
  expect([uses(at('/0')), uses(at('/399'))]).toEqual([0, 1])
  expect(JSON.parse(localStorage.getItem('filemgr.uses') ?? '')).toHaveLength(300)
})
