/** Random names and ranges (fast-check). */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { randomBytes } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import type { Listing } from '#wire/api/entry.ts'
import { API } from '#wire/api/routes.ts'
import { encodeSegment, findNameProblem } from '#wire/paths.ts'
import { openTestApp, type TestApp } from '../support/server/test-app.ts'

let app: TestApp
beforeAll(async () => {
  app = await openTestApp()
})
afterAll(() => app.stop())

const call = (method: string, address: string, body?: BodyInit, headers = {}) =>
  app.anna.call(method, address, body, headers)

/** Any name in UTF-8 that a file system accepts. */
const name = fc
  .string({
    unit: fc.oneof(
      fc.constantFrom(...'#%?&+;,:=@\\"\'<>|*~` .-é😀ß\u0301\u202e\n\t'),
      fc.string({ unit: 'grapheme', minLength: 1, maxLength: 1 }),
    ),
    minLength: 1,
    maxLength: 40,
  })
  .filter(
    (text) =>
      findNameProblem(text) === undefined && text.isWellFormed() && !text.startsWith('.filemgr'),
  )

test('random names are created, listed, read, moved and removed unchanged', async () => {
  await fc.assert(
    fc.asyncProperty(name, name, async (one, two) => {
      fc.pre(one !== two)
      await call('POST', `${API.resources}/names/`)
      const [here, there] = [`/names/${encodeSegment(one)}`, `/names/${encodeSegment(two)}`]
      expect((await call('POST', API.resources + here, one)).status).toBe(200)
      const listing: Listing = await (await call('GET', `${API.resources}/names/`)).json()
      expect(listing.items.map((item) => item.name)).toEqual([one])
      const to = encodeURIComponent(there)
      expect(
        (await call('PATCH', `${API.resources}${here}?action=rename&destination=${to}`)).status,
      ).toBe(200)
      const read = await call('GET', API.raw + there)
      expect(await read.text()).toBe(one)
      const sent =
        /filename\*=utf-8''(.+)$/.exec(read.headers.get('content-disposition') ?? '')?.[1] ?? ''
      expect(decodeURIComponent(sent)).toBe(two)
      expect((await call('DELETE', API.resources + there)).status).toBe(204)
    }),
    { numRuns: 60 },
  )
}, 60_000)

test('a random range returns that part of the file, or is refused', async () => {
  const content = new Uint8Array(randomBytes(1000))
  writeFileSync(join(app.root, 'anna/ranges.bin'), content)
  const position = fc.integer({ min: 0, max: 1200 })
  const spec = fc.oneof(
    fc
      .tuple(position, position)
      .map(([first, last]) => ({ header: `${first}-${last}`, first, last })),
    position.map((first) => ({ header: `${first}-`, first, last: Number.POSITIVE_INFINITY })),
    position.map((count) => ({
      header: `-${count}`,
      first: Math.max(0, 1000 - count),
      last: count === 0 ? -1 : 999,
    })),
  )
  await fc.assert(
    fc.asyncProperty(spec, async ({ header, first, last }) => {
      const answer = await call('GET', `${API.raw}/ranges.bin`, undefined, {
        Range: `bytes=${header}`,
      })
      const bytes = new Uint8Array(await answer.arrayBuffer())
      if (answer.status === 206) {
        expect(bytes).toEqual(content.slice(first, Math.min(last, 999) + 1))
        expect(answer.headers.get('content-range')).toBe(
          `bytes ${first}-${Math.min(last, 999)}/1000`,
        )
      } else if (answer.status === 416) {
        expect(first > 999 || last < 0).toBe(true)
        expect(answer.headers.get('content-range') ?? 'bytes */1000').toBe('bytes */1000')
      } else {
        // A range that contradicts itself is as good as none (RFC 9110, section 14.2).
        expect(answer.status).toBe(200)
        expect(last < first).toBe(true)
        expect(bytes).toEqual(content)
      }
    }),
    { numRuns: 150 },
  )
}, 60_000)
