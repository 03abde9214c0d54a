/** The tests of the contract in `server/storage/storage.ts` for listings and for reading files. */
import { describe, expect, test } from 'bun:test'
import type { Storage } from '#server/storage/storage.ts'
import { parsePath, ROOT } from '#wire/paths.ts'
import { code } from '../support/storage/served.ts'

const encoder = new TextEncoder()

/** @param storage returns the storage of the running test, which was empty before it */
export function describeReading(storage: () => Storage): void {
  const write = (path: string, text: string) =>
    storage().write(parsePath(path), encoder.encode(text), { overwrite: false })
  const text = async (path: string) =>
    new Response((await storage().read(parsePath(path))).bytes).text()

  describe('reading', () => {
    test('list returns the same data of an entry as stat', async () => {
      await write('/a.txt', 'hello')
      await storage().mkdir(parsePath('/box'))
      const [file, box] = [...(await storage().list(ROOT))].sort((a, b) =>
        a.path < b.path ? -1 : 1,
      )
      for (const node of [file, box]) {
        const described = await storage().stat(parsePath(node?.path ?? ''))
        // A spread does not copy fields that are getters. Only a listing sets `foldsCase`; it does not tell the others.
        const { bornMs, device } = described
        const own = { version: node?.version, identity: node?.identity }
        const more = { ...own, foldsCase: false, bornMs, device }
        expect({ ...node, ...more }).toMatchObject({ ...described })
      }
    })

    test('a listing for a search has all folders, and the files whose names contain a term', async () => {
      await storage().mkdir(parsePath('/box'))
      for (const path of ['/Trip.txt', '/other.txt', '/box/trip']) await write(path, 'x')
      const named = async (terms: string[], isCaseSensitive = false) =>
        [...(await storage().list(ROOT, { names: { terms, isCaseSensitive } }))].map(
          ({ path }) => path,
        )
      const found: string[] = await named(['none', 'trip'])
      expect(found).toContain('/Trip.txt')
      expect(found).toContain('/box')
      expect(found).not.toContain('/box/trip')
      expect(await named(['Trip'], true)).toContain(parsePath('/Trip.txt'))
    })

    test('an open folder returns the first bytes of several files', async () => {
      await write('/a.txt', 'hello')
      await write('/b.txt', 'he')
      const files = [...(await storage().list(ROOT))].sort((a, b) => (a.path < b.path ? -1 : 1))
      using folder = await storage().openFolder(ROOT)
      const starts = await folder.readStarts(files, { bytesMax: 3 })
      const texts = starts.map(
        (start) => start && [new TextDecoder().decode(start.bytes), start.isAll],
      )
      expect(texts).toEqual([
        ['hel', false],
        ['he', true],
      ])
    })

    test('an open folder knows its node and its children; what is no folder is not opened', async () => {
      await storage().mkdir(parsePath('/box/inner'))
      await write('/a.txt', 'hello')
      using folder = await storage().openFolder(parsePath('/box'))
      expect(await folder.stat()).toEqual(await storage().stat(parsePath('/box')))
      const paths = [...(await folder.list())].map(({ path }) => String(path))
      expect(paths).toEqual(['/box/inner'])
      expect([...(await folder.list())]).toHaveLength(1)
      expect(await code(storage().openFolder(parsePath('/a.txt')))).toBe('notDirectory')
      expect(await code(storage().openFolder(parsePath('/none')))).toBe('notFound')
    })

    test('an open file returns several ranges, and stays open until it is closed', async () => {
      await write('/a.txt', '0123456789')
      const opened = await storage().read(parsePath('/a.txt'))
      const part = async (first: number, last: number) =>
        new Response(opened.part({ first, last })).text()
      expect(await part(7, 9)).toBe('789')
      expect(await part(0, 1)).toBe('01')
      await opened.part({ first: 0, last: 9 }).cancel()
      expect(await part(3, 3)).toBe('3')
      opened.close()
    })

    test('read returns the bytes of a range, clamped to the size of the file', async () => {
      await write('/a', '0123456789')
      const opened = await storage().read(parsePath('/a'), () => ({ first: 3, last: 5 }))
      expect(opened.node.sizeBytes).toBe(10)
      expect(opened.range).toEqual({ first: 3, last: 5 })
      expect(await new Response(opened.bytes).text()).toBe('345')
      const beyond = await storage().read(parsePath('/a'), () => ({ first: 8, last: 511 }))
      expect(await new Response(beyond.bytes).text()).toBe('89')
      expect(beyond.range).toEqual({ first: 8, last: 9 })
    })

    test('an empty file has the size 0 and is read as an empty text', async () => {
      await write('/empty', '')
      expect(await text('/empty')).toBe('')
      expect((await storage().stat(parsePath('/empty'))).sizeBytes).toBe(0)
    })
  })
}
