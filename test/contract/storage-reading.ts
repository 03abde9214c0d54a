/** What every storage must do when it is read: the part of the contract that changes nothing. */
import { describe, expect, test } from 'bun:test'
import type { Storage } from '#server/storage/storage.ts'
import { parsePath, ROOT } from '#wire/paths.ts'
import { code } from '../support/served.ts'

const encoder = new TextEncoder()

/** @param storage the empty one that each test begins with */
export function describeReading(storage: () => Storage): void {
  const write = (path: string, text: string) =>
    storage().write(parsePath(path), encoder.encode(text), { overwrite: false })
  const text = async (path: string) =>
    new Response((await storage().read(parsePath(path))).bytes).text()

  describe('reading', () => {
    test('a listing says of each entry what is said of it alone', async () => {
      await write('/a.txt', 'hello')
      await storage().mkdir(parsePath('/box'))
      const [file, box] = [...(await storage().list(ROOT))].sort((a, b) =>
        a.path < b.path ? -1 : 1,
      )
      for (const node of [file, box]) {
        const alone = await storage().stat(parsePath(node?.path ?? ''))
        const answer = {
          modifiedMs: node?.modifiedMs,
          version: node?.version,
          identity: node?.identity,
        }
        expect({ ...node, ...answer, foldsCase: false }).toMatchObject({ ...alone })
      }
    })

    test('several files are read by their beginnings at once', async () => {
      await write('/a.txt', 'hello')
      await write('/b.txt', 'he')
      const files = [...(await storage().list(ROOT))].sort((a, b) => (a.path < b.path ? -1 : 1))
      const starts = await storage().readStarts(ROOT, files, { bytesMax: 3 })
      const seen = starts.map(
        (start) => start && [new TextDecoder().decode(start.bytes), start.isAll],
      )
      expect(seen).toEqual([
        ['hel', false],
        ['he', true],
      ])
      expect(await code(storage().readStarts(parsePath('/a.txt'), files, { bytesMax: 3 }))).toBe(
        'notDirectory',
      )
    })

    test('a range is read from the same open file', async () => {
      await write('/a', '0123456789')
      const opened = await storage().read(parsePath('/a'), () => ({ first: 3, last: 5 }))
      expect(opened.node.sizeBytes).toBe(10)
      expect(opened.range).toEqual({ first: 3, last: 5 })
      expect(await new Response(opened.bytes).text()).toBe('345')
      const beyond = await storage().read(parsePath('/a'), () => ({ first: 8, last: 511 }))
      expect(await new Response(beyond.bytes).text()).toBe('89')
      expect(beyond.range).toEqual({ first: 8, last: 9 })
    })

    test('an empty file is read as a file', async () => {
      await write('/empty', '')
      expect(await text('/empty')).toBe('')
      expect((await storage().stat(parsePath('/empty'))).sizeBytes).toBe(0)
    })
  })
}
