/** The tests that every storage must pass: the contract in the comments of `server/storage/storage.ts`. */
import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import type { Storage } from '#server/storage/storage.ts'
import { Fault } from '#wire/fault.ts'
import { childPath, parsePath, ROOT } from '#wire/paths.ts'
import { NASTY_NAMES } from '../support/files/tree.ts'
import { code } from '../support/storage/served.ts'
import { describeReading } from './storage-reading.ts'

/** An empty storage for one test. */
export interface Fixture {
  storage: Storage
  close(): void
}

const encoder = new TextEncoder()

/**
 * Declares the tests for one implementation.
 *
 * @param open called before each test
 */
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

    test('an empty storage has an empty root folder', async () => {
      expect((await storage.stat(ROOT)).kind).toBe('folder')
      expect(await names('/')).toEqual([])
    })

    test('a written file is returned by write, read, list and stat', async () => {
      const node = await write('/a.txt', 'hello')
      expect(node).toMatchObject({ path: '/a.txt', kind: 'file', sizeBytes: 5, isLink: false })
      expect(await text('/a.txt')).toBe('hello')
      expect(await names('/')).toEqual(['/a.txt'])
      expect(await storage.stat(parsePath('/a.txt'))).toEqual(node)
      expect(await storage.find(parsePath('/a.txt'))).toEqual(node)
    })

    test('a stream is written completely', async () => {
      const source = new Blob([new Uint8Array(3_000_000).fill(7)]).stream()
      await storage.write(parsePath('/big'), source, { overwrite: false })
      const bytes = await new Response((await storage.read(parsePath('/big'))).bytes).bytes()
      expect(bytes.length).toBe(3_000_000)
      expect(bytes.every((byte) => byte === 7)).toBe(true)
    })

    test('a stream that fails after its first bytes creates no file and changes no existing file', async () => {
      await write('/old', 'old')
      const failing = () =>
        new ReadableStream<Uint8Array>(
          {
            start: (controller) => controller.enqueue(encoder.encode('half')),
            // Called when the first bytes were read: an error discards bytes that are still queued.
            pull: () => Promise.reject(new Error('The stream failed.')),
          },
          { highWaterMark: 0 },
        )
      for (const path of ['/old', '/new']) {
        expect(await code(storage.write(parsePath(path), failing(), { overwrite: true }))).not.toBe(
          'no fault',
        )
      }
      expect(await text('/old')).toBe('old')
      expect(await names('/')).toEqual(['/old'])
    })

    test('write refuses a taken name with conflict, or replaces the file with a new version', async () => {
      await write('/a', 'one')
      expect(await code(write('/a', 'two'))).toBe('conflict')
      expect(await text('/a')).toBe('one')
      const before = await storage.stat(parsePath('/a'))
      await write('/a', 'two', true)
      expect(await text('/a')).toBe('two')
      expect((await storage.stat(parsePath('/a'))).version).not.toBe(before.version)
    })

    test('contents of the same length and modification time have different versions', async () => {
      const versions = new Set<string>()
      for (const content of ['one', 'two', 'six', 'ten']) {
        const bytes = encoder.encode(content)
        const options = { overwrite: true, modifiedMs: 1_700_000_000_000 }
        const { version } = await storage.write(parsePath('/a'), bytes, options)
        expect(version).toBe((await storage.stat(parsePath('/a'))).version)
        versions.add(version)
      }
      expect(versions.size).toBe(4)
    })

    test('write passes the existing file to `accept`, and keeps it if `accept` throws', async () => {
      await write('/a', 'one')
      const sizes: (number | undefined)[] = []
      const refused = storage.write(parsePath('/a'), encoder.encode('two'), {
        overwrite: true,
        accept(existing) {
          sizes.push(existing?.sizeBytes)
          throw new Fault('forbidden', 'no')
        },
      })
      expect(await code(refused)).toBe('forbidden')
      expect(sizes).toEqual([3])
      expect(await text('/a')).toBe('one')
    })

    test('write never replaces a folder', async () => {
      await storage.mkdir(parsePath('/d/e'))
      expect(await code(write('/d', 'x', true))).toBe('isDirectory')
      expect(await names('/d')).toEqual(['/d/e'])
    })

    test('write sets the modification time of the client', async () => {
      const modifiedMs = Date.UTC(2001, 2, 3)
      await storage.write(parsePath('/a'), encoder.encode('x'), { overwrite: false, modifiedMs })
      expect((await storage.stat(parsePath('/a'))).modifiedMs).toBe(modifiedMs)
    })

    test('write creates the folders above only if it is asked to, and refuses a file there', async () => {
      const bytes = encoder.encode('x')
      const options = { overwrite: false, makesFolders: true }
      await storage.write(parsePath('/a/b/c'), bytes, options)
      await storage.write(parsePath('/a/b/d'), bytes, options)
      expect(await names('/a/b')).toEqual(['/a/b/c', '/a/b/d'])
      expect(await code(storage.write(parsePath('/a/b/c/e'), bytes, options))).toBe('notDirectory')
      expect(await code(write('/other/c', 'x'))).toBe('notFound')
    })

    test('mkdir creates the folders above too, accepts an existing folder, and refuses a file', async () => {
      await storage.mkdir(parsePath('/a/b/c'))
      await storage.mkdir(parsePath('/a/b/c'))
      expect(await names('/a/b')).toEqual(['/a/b/c'])
      await write('/file', 'x')
      expect(await code(storage.mkdir(parsePath('/file')))).toBe('notDirectory')
      expect(await code(storage.mkdir(parsePath('/file/below')))).toBe('notDirectory')
    })

    test('operations on a missing path or in a missing folder fail with notFound', async () => {
      const missing = parsePath('/missing')
      expect(await code(storage.stat(missing))).toBe('notFound')
      expect(await storage.find(missing)).toBeUndefined()
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

    test('list refuses a file, and read refuses a folder', async () => {
      await write('/file', 'x')
      expect(await code(names('/file'))).toBe('notDirectory')
      expect(await code(storage.read(ROOT))).toBe('isDirectory')
    })

    test('remove deletes a folder with its content and nothing else', async () => {
      await storage.mkdir(parsePath('/a/b'))
      await write('/a/b/x', 'x')
      await write('/ab', 'kept')
      await storage.remove(parsePath('/a'))
      expect(await names('/')).toEqual(['/ab'])
    })

    test('a folder is moved with all its content', async () => {
      await storage.mkdir(parsePath('/a/b'))
      await write('/a/b/x', 'x')
      await storage.move(parsePath('/a'), parsePath('/z'), { overwrite: false })
      expect(await text('/z/b/x')).toBe('x')
      expect(await names('/')).toEqual(['/z'])
    })

    test('move and copy refuse a taken name with conflict, or replace a file', async () => {
      await write('/a', 'a')
      await write('/b', 'b')
      for (const operation of ['move', 'copy'] as const) {
        expect(
          await code(storage[operation](parsePath('/a'), parsePath('/b'), { overwrite: false })),
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

    test('mkdir and remove change nothing if `accept` throws', async () => {
      const accept = () => {
        throw new Fault('forbidden', 'no')
      }
      await write('/file', 'x')
      expect(await code(storage.mkdir(parsePath('/made/below'), { accept }))).toBe('forbidden')
      expect(await code(storage.remove(parsePath('/file'), { accept }))).toBe('forbidden')
      expect(await names('/')).toEqual(['/file'])
    })

    test('move and copy tell `accept` whether the name is taken, and change nothing if it throws', async () => {
      await write('/a', 'a')
      await write('/b', 'b')
      for (const operation of ['move', 'copy'] as const) {
        const isTaken: boolean[] = []
        const to = (path: string) =>
          storage[operation](parsePath('/a'), parsePath(path), {
            overwrite: true,
            accept(taken) {
              isTaken.push(taken)
              throw new Fault('forbidden', 'no')
            },
          })
        expect([await code(to('/b')), await code(to('/free'))]).toEqual(['forbidden', 'forbidden'])
        expect(isTaken).toEqual([true, false])
        expect(await names('/')).toEqual(['/a', '/b'])
        expect(await text('/b')).toBe('b')
      }
    })

    test('move and copy merge a folder into an existing folder', async () => {
      for (const operation of ['copy', 'move'] as const) {
        await storage.mkdir(parsePath(`/${operation}/from/deep`))
        await storage.mkdir(parsePath(`/${operation}/to/deep`))
        await write(`/${operation}/from/deep/x`, 'new')
        await write(`/${operation}/to/deep/x`, 'old')
        await write(`/${operation}/to/deep/y`, 'kept')
        const [from, to] = [parsePath(`/${operation}/from`), parsePath(`/${operation}/to`)]
        await storage[operation](from, to, { overwrite: true })
        expect(await text(`/${operation}/to/deep/x`)).toBe('new')
        expect(await text(`/${operation}/to/deep/y`)).toBe('kept')
      }
      expect(await names('/copy')).toEqual(['/copy/from', '/copy/to'])
      expect(await names('/move')).toEqual(['/move/to'])
    })

    test('move and copy never replace a folder by a file or a file by a folder', async () => {
      await write('/file', 'x')
      await storage.mkdir(parsePath('/folder'))
      for (const operation of ['copy', 'move'] as const) {
        const over = (from: string, to: string) =>
          code(storage[operation](parsePath(from), parsePath(to), { overwrite: true }))
        expect(await over('/file', '/folder')).toBe('isDirectory')
        expect(await over('/folder', '/file')).toBe('notDirectory')
      }
      expect(await text('/file')).toBe('x')
    })

    test('a change of the original does not change a copy', async () => {
      await storage.mkdir(parsePath('/a/b'))
      await write('/a/b/x', 'one')
      await storage.copy(parsePath('/a'), parsePath('/c'), { overwrite: false })
      await write('/a/b/x', 'two', true)
      expect(await text('/c/b/x')).toBe('one')
    })

    test('problematic names work in write, read, copy, move, stat, list and remove', async () => {
      await storage.mkdir(parsePath('/to'))
      for (const name of NASTY_NAMES) {
        const path = childPath(ROOT, name)
        const copy = childPath(parsePath('/to'), name)
        await storage.write(path, encoder.encode(name), { overwrite: false })
        expect(await new Response((await storage.read(path)).bytes).text()).toBe(name)
        await storage.copy(path, copy, { overwrite: false })
        await storage.move(path, childPath(ROOT, 'moved'), { overwrite: false })
        await storage.move(childPath(ROOT, 'moved'), path, { overwrite: false })
        expect((await storage.stat(copy)).sizeBytes).toBe(encoder.encode(name).length)
      }
      const expected = NASTY_NAMES.map((name) => `/to/${name}`).sort()
      expect(await names('/to')).toEqual(expected)
      for (const name of NASTY_NAMES) await storage.remove(childPath(ROOT, name))
      expect(await names('/')).toEqual(['/to'])
    })

    test('a storage within a folder contains that folder and nothing above it', async () => {
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

    test('usage returns a total and a used size that is not larger', async () => {
      const { total, used } = await storage.usage(ROOT)
      expect(total).toBeGreaterThan(0)
      expect(used).toBeGreaterThanOrEqual(0)
      expect(used).toBeLessThanOrEqual(total)
    })
  })
}
