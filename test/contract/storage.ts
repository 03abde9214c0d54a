/** What every storage must do: the comments of `server/storage/storage.ts`, as tests. */
import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import type { Storage } from '#server/storage/storage.ts'
import { Fault } from '#wire/fault.ts'
import { childPath, parsePath, ROOT } from '#wire/paths.ts'
import { code } from '../support/served.ts'
import { NASTY_NAMES } from '../support/tree.ts'
import { describeReading } from './storage-reading.ts'

export interface Fixture {
  storage: Storage
  close(): void
}

const encoder = new TextEncoder()

export function describeStorage(name: string, open: () => Promise<Fixture>): void {
  describe(`${name} is a storage`, () => {
    let fixture: Fixture
    let storage: Storage

    beforeEach(async () => {
      fixture = await open()
      storage = fixture.storage
    })
    afterEach(() => fixture.close())

    const write = (path: string, text: string, overwrite = false) =>
      storage.write(parsePath(path), encoder.encode(text), { overwrite })
    const text = async (path: string) =>
      new Response((await storage.read(parsePath(path))).bytes).text()
    const names = async (path: string) => {
      const found: string[] = []
      for (const node of await storage.list(parsePath(path))) found.push(node.path)
      return found.sort()
    }

    describeReading(() => storage)

    test('an empty storage has a root and nothing in it', async () => {
      expect((await storage.stat(ROOT)).kind).toBe('folder')
      expect(await names('/')).toEqual([])
    })

    test('what is written is read, listed and described', async () => {
      const node = await write('/a.txt', 'hello')
      expect(node).toMatchObject({ path: '/a.txt', kind: 'file', sizeBytes: 5, isLink: false })
      expect(await text('/a.txt')).toBe('hello')
      expect(await names('/')).toEqual(['/a.txt'])
      expect(await storage.stat(parsePath('/a.txt'))).toEqual(node)
    })

    test('a stream is written whole', async () => {
      const source = new Blob([new Uint8Array(3_000_000).fill(7)]).stream()
      await storage.write(parsePath('/big'), source, { overwrite: false })
      const bytes = await new Response((await storage.read(parsePath('/big'))).bytes).bytes()
      expect(bytes.length).toBe(3_000_000)
      expect(bytes.every((byte) => byte === 7)).toBe(true)
    })

    test('a stream that fails leaves nothing, and an old file whole', async () => {
      await write('/old', 'old')
      const failing = () =>
        new ReadableStream<Uint8Array>({
          start(controller) {
            controller.enqueue(encoder.encode('half'))
            controller.error(new Error('cut off'))
          },
        })
      for (const path of ['/old', '/new']) {
        expect(await code(storage.write(parsePath(path), failing(), { overwrite: true }))).not.toBe(
          'no fault',
        )
      }
      expect(await text('/old')).toBe('old')
      expect(await names('/')).toEqual(['/old'])
    })

    test('a taken name is a conflict unless it may be replaced', async () => {
      await write('/a', 'one')
      expect(await code(write('/a', 'two'))).toBe('conflict')
      expect(await text('/a')).toBe('one')
      const before = await storage.stat(parsePath('/a'))
      await write('/a', 'two', true)
      expect(await text('/a')).toBe('two')
      expect((await storage.stat(parsePath('/a'))).version).not.toBe(before.version)
    })

    test('no two contents share a version, whatever time and length they are given', async () => {
      const versions = new Set<string>()
      for (const content of ['one', 'two', 'six', 'ten']) {
        const bytes = encoder.encode(content)
        const how = { overwrite: true, modifiedMs: 1_700_000_000_000 }
        const { version } = await storage.write(parsePath('/a'), bytes, how)
        expect(version).toBe((await storage.stat(parsePath('/a'))).version)
        versions.add(version)
      }
      expect(versions.size).toBe(4)
    })

    test('`accept` sees what stands there and may refuse', async () => {
      await write('/a', 'one')
      const seen: (number | undefined)[] = []
      const refuse = storage.write(parsePath('/a'), encoder.encode('two'), {
        overwrite: true,
        accept(existing) {
          seen.push(existing?.sizeBytes)
          throw new Fault('forbidden', 'no')
        },
      })
      expect(await code(refuse)).toBe('forbidden')
      expect(seen).toEqual([3])
      expect(await text('/a')).toBe('one')
    })

    test('a file never replaces a folder', async () => {
      await storage.mkdir(parsePath('/d/e'))
      expect(await code(write('/d', 'x', true))).toBe('isDirectory')
      expect(await names('/d')).toEqual(['/d/e'])
    })

    test('the client’s modification time is kept', async () => {
      const modifiedMs = Date.UTC(2001, 2, 3)
      await storage.write(parsePath('/a'), encoder.encode('x'), { overwrite: false, modifiedMs })
      expect((await storage.stat(parsePath('/a'))).modifiedMs).toBe(modifiedMs)
    })

    test('folders are made with those above, twice without complaint, never over a file', async () => {
      await storage.mkdir(parsePath('/a/b/c'))
      await storage.mkdir(parsePath('/a/b/c'))
      expect(await names('/a/b')).toEqual(['/a/b/c'])
      await write('/file', 'x')
      expect(await code(storage.mkdir(parsePath('/file')))).toBe('notDirectory')
      expect(await code(storage.mkdir(parsePath('/file/below')))).toBe('notDirectory')
    })

    test('a path that is not there is not found', async () => {
      const missing = parsePath('/missing')
      expect(await code(storage.stat(missing))).toBe('notFound')
      expect(await code(storage.read(missing))).toBe('notFound')
      expect(await code(storage.remove(missing))).toBe('notFound')
      expect(await code(storage.usage(missing))).toBe('notFound')
      expect(await code(names('/missing'))).toBe('notFound')
      expect(await code(storage.move(missing, parsePath('/x'), { overwrite: false }))).toBe(
        'notFound',
      )
      expect(await code(storage.copy(missing, parsePath('/x'), { overwrite: false }))).toBe(
        'notFound',
      )
      expect(await code(write('/missing/child', 'x'))).toBe('notFound')
    })

    test('files and folders are told apart', async () => {
      await write('/file', 'x')
      expect(await code(names('/file'))).toBe('notDirectory')
      expect(await code(storage.read(ROOT))).toBe('isDirectory')
    })

    test('removing a folder removes what it holds and nothing else', async () => {
      await storage.mkdir(parsePath('/a/b'))
      await write('/a/b/x', 'x')
      await write('/ab', 'stays')
      await storage.remove(parsePath('/a'))
      expect(await names('/')).toEqual(['/ab'])
    })

    test('moving takes everything along', async () => {
      await storage.mkdir(parsePath('/a/b'))
      await write('/a/b/x', 'x')
      await storage.move(parsePath('/a'), parsePath('/z'), { overwrite: false })
      expect(await text('/z/b/x')).toBe('x')
      expect(await names('/')).toEqual(['/z'])
    })

    test('moving and copying refuse a taken name, or replace a file', async () => {
      await write('/a', 'a')
      await write('/b', 'b')
      for (const verb of ['move', 'copy'] as const) {
        expect(
          await code(storage[verb](parsePath('/a'), parsePath('/b'), { overwrite: false })),
        ).toBe('conflict')
      }
      expect(await text('/b')).toBe('b')
      await storage.copy(parsePath('/a'), parsePath('/b'), { overwrite: true })
      expect(await text('/b')).toBe('a')
      await write('/c', 'c')
      await storage.move(parsePath('/c'), parsePath('/b'), { overwrite: true })
      expect(await text('/b')).toBe('c')
      expect(await names('/')).toEqual(['/a', '/b'])
    })

    test('moving and copying ask before a name is taken, and what refuses leaves all as it was', async () => {
      await write('/a', 'a')
      await write('/b', 'b')
      for (const verb of ['move', 'copy'] as const) {
        const seen: boolean[] = []
        const to = (path: string) =>
          storage[verb](parsePath('/a'), parsePath(path), {
            overwrite: true,
            accept(taken) {
              seen.push(taken)
              throw new Fault('forbidden', 'no')
            },
          })
        expect([await code(to('/b')), await code(to('/free'))]).toEqual(['forbidden', 'forbidden'])
        expect(seen).toEqual([true, false])
        expect(await names('/')).toEqual(['/a', '/b'])
        expect(await text('/b')).toBe('b')
      }
    })

    test('replacing a folder by a folder merges them', async () => {
      for (const verb of ['copy', 'move'] as const) {
        await storage.mkdir(parsePath(`/${verb}/from/deep`))
        await storage.mkdir(parsePath(`/${verb}/to/deep`))
        await write(`/${verb}/from/deep/x`, 'new')
        await write(`/${verb}/to/deep/x`, 'old')
        await write(`/${verb}/to/deep/y`, 'stays')
        const [from, to] = [parsePath(`/${verb}/from`), parsePath(`/${verb}/to`)]
        await storage[verb](from, to, { overwrite: true })
        expect(await text(`/${verb}/to/deep/x`)).toBe('new')
        expect(await text(`/${verb}/to/deep/y`)).toBe('stays')
      }
      expect(await names('/copy')).toEqual(['/copy/from', '/copy/to'])
      expect(await names('/move')).toEqual(['/move/to'])
    })

    test('files and folders never replace one another', async () => {
      await write('/file', 'x')
      await storage.mkdir(parsePath('/folder'))
      for (const verb of ['copy', 'move'] as const) {
        const over = (from: string, to: string) =>
          code(storage[verb](parsePath(from), parsePath(to), { overwrite: true }))
        expect(await over('/file', '/folder')).toBe('isDirectory')
        expect(await over('/folder', '/file')).toBe('notDirectory')
      }
      expect(await text('/file')).toBe('x')
    })

    test('a copy is another file', async () => {
      await storage.mkdir(parsePath('/a/b'))
      await write('/a/b/x', 'one')
      await storage.copy(parsePath('/a'), parsePath('/c'), { overwrite: false })
      await write('/a/b/x', 'two', true)
      expect(await text('/c/b/x')).toBe('one')
    })

    test('every name that a file system accepts works in every operation', async () => {
      await storage.mkdir(parsePath('/to'))
      for (const name of NASTY_NAMES) {
        const path = childPath(ROOT, name)
        const there = childPath(parsePath('/to'), name)
        await storage.write(path, encoder.encode(name), { overwrite: false })
        expect(await new Response((await storage.read(path)).bytes).text()).toBe(name)
        await storage.copy(path, there, { overwrite: false })
        await storage.move(path, childPath(ROOT, 'moved'), { overwrite: false })
        await storage.move(childPath(ROOT, 'moved'), path, { overwrite: false })
        expect((await storage.stat(there)).sizeBytes).toBe(encoder.encode(name).length)
      }
      const expected = NASTY_NAMES.map((name) => `/to/${name}`).sort()
      expect(await names('/to')).toEqual(expected)
      for (const name of NASTY_NAMES) await storage.remove(childPath(ROOT, name))
      expect(await names('/')).toEqual(['/to'])
    })

    test('a storage within a folder sees that folder and nothing above', async () => {
      await storage.mkdir(parsePath('/home/anna'))
      await write('/home/secret', 'secret')
      const inner = storage.within(parsePath('/home/anna'))
      await inner.write(parsePath('/x'), encoder.encode('x'), { overwrite: false })
      expect(await text('/home/anna/x')).toBe('x')
      expect(await code(inner.stat(parsePath('/../secret')))).toBe('notFound')
      const found: string[] = []
      for (const node of await inner.list(ROOT)) found.push(node.path)
      expect(found).toEqual(['/x'])
    })

    test('usage counts bytes', async () => {
      const { total, used } = await storage.usage(ROOT)
      expect(total).toBeGreaterThan(0)
      expect(used).toBeGreaterThanOrEqual(0)
      expect(used).toBeLessThanOrEqual(total)
    })
  })
}
