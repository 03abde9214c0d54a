/** A database of bbolt is read completely, or refused with a message; it is never written. */
import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { openBolt } from '#server/takeover/bolt.ts'
import { temporaryFolder } from '../../support/files/tree.ts'
import { boltFile, fnv1a, type Items } from '../../support/server/bolt.ts'
import { REPO_ROOT } from '../../support/server/executable.ts'

let folder: ReturnType<typeof temporaryFolder>
let path: string
beforeEach(() => {
  folder = temporaryFolder()
  path = join(folder.path, 'old.db')
})
afterEach(() => folder.remove())

const SAMPLE = join(REPO_ROOT, 'test/fixtures/filebrowser.db')
const MANY: Items = Array.from({ length: 3000 }, (_, index) => [
  `key ${String(index).padStart(6, '0')}`,
  index === 1234 ? 'x'.repeat(20_000) : `value ${index}`,
])

function write(bytes: Buffer): Buffer {
  writeFileSync(path, bytes)
  return bytes
}

/** `key=value` of each entry of a bucket, or the message of the refusal. */
function read(...names: string[]): string[] | string {
  try {
    const file = openBolt(path)
    try {
      const bucket = names.reduce((at, name) => at?.bucket(name) ?? file.root, file.root)
      return [...bucket.entries()].map(({ key, value }) => `${key}=${value}`)
    } finally {
      file.close()
    }
  } catch (error) {
    return (error as Error).message
  }
}

describe('a complete database', () => {
  test('the entries of a bucket of the sample database are read, without its nested buckets', () => {
    copyFileSync(SAMPLE, path)
    // File Browser stores its shares in `Link`; its library storm stores its version in `__storm_db`.
    expect(read('__storm_db')).toEqual(['version="2.0.0"'])
    expect(read('Link').length).toBe(3)
    expect(readFileSync(path).equals(readFileSync(SAMPLE))).toBe(true)
  })

  test.each([1024, 4096, 16_384, 65_536])(
    'pages of %d bytes are read: branches, and a value of 20 000 bytes with the overflow pages that it needs',
    (pageSize) => {
      write(boltFile([['many', MANY]], pageSize))
      const entries = read('many')
      expect(entries).toHaveLength(3000)
      expect(entries[1234]).toHaveLength('key 001234='.length + 20_000)
      expect(entries[2999]).toBe('key 002999=value 2999')
    },
  )

  test('a database with one torn meta page is read by the other', () => {
    const bytes = write(boltFile([['many', MANY]]))
    for (const page of [0, 4096]) {
      const torn = Buffer.from(bytes)
      torn.writeUInt32LE(0, page + 16 + 16)
      write(torn)
      expect(read('many')).toHaveLength(3000)
    }
  })

  test.each([0, 1])(
    'the newer one of two meta pages counts, if page %d is the older one',
    (page) => {
      const bytes = boltFile([['many', [['a', '1']]]])
      // The older meta page is valid and has a lower transaction number. Its root page has no keys.
      const body = bytes.subarray(page * 4096 + 16, page * 4096 + 80)
      body.writeBigUInt64LE(2n, 16)
      body.writeBigUInt64LE(1n, 48)
      body.writeBigUInt64LE(fnv1a(body.subarray(0, 56)), 56)
      write(bytes)
      expect(read('many')).toEqual(['a=1'])
    },
  )
})

describe('a refused database', () => {
  const damaged = (reason: string) =>
    expect(read('many')).toBe(
      `${path} is damaged or incompletely copied: ${reason}. Stop File Browser and copy the file again.`,
    )

  test('a missing file, a folder, and a file of another program are refused as a database', () => {
    expect(read()).toBe(`The file ${path} does not exist.`)
    expect(() => openBolt(folder.path)).toThrow('is not a file')
    write(Buffer.from('SQLite format 3\0'))
    expect(read()).toBe(`${path} is not a database of File Browser.`)
    write(Buffer.alloc(0))
    expect(read()).toBe(`${path} is not a database of File Browser.`)
  })

  test('a database that is half copied is refused', () => {
    const bytes = boltFile([['many', MANY]])
    write(bytes.subarray(0, bytes.length - 4096))
    damaged(`it ends after ${bytes.length - 4096} of ${bytes.length} bytes`)
    write(bytes.subarray(0, 100))
    damaged(`it ends after 100 of ${bytes.length} bytes`)
  })

  test('a database with both meta pages torn is refused', () => {
    const bytes = boltFile([['many', MANY]])
    bytes.writeUInt8(1, 16 + 60)
    bytes.writeUInt8(1, 4096 + 16 + 60)
    write(bytes)
    damaged('both of its first two pages are damaged')
  })

  test('a database with pages of two states is refused', () => {
    const bytes = boltFile([['many', MANY]])
    const firstLeaf = 3 * 4096
    bytes.copyWithin(firstLeaf + 8, firstLeaf + 4096 + 8, firstLeaf + 2 * 4096)
    write(bytes)
    damaged('its keys are out of order')
    const other = boltFile([['many', MANY]])
    other.writeBigUInt64LE(77n, firstLeaf)
    write(other)
    damaged('page 3 has a wrong header')
  })

  test('a database whose pages refer to themselves, or beyond their end, is refused', () => {
    const bytes = boltFile([['many', MANY]])
    const pageOf = (id: number) => bytes.subarray(id * 4096, (id + 1) * 4096)
    const branch = Array.from({ length: bytes.length / 4096 }, (_, id) => id).find(
      (id) => id > 2 && pageOf(id).readUInt16LE(8) === 1,
    )
    const page = pageOf(branch ?? 0)
    const first = page.readBigUInt64LE(16 + 8)
    page.writeBigUInt64LE(BigInt(branch ?? 0), 16 + 8)
    write(bytes)
    damaged(`page ${branch} is used twice`)
    page.writeBigUInt64LE(first, 16 + 8)
    bytes.writeUInt32LE(5000, 3 * 4096 + 16 + 8)
    write(bytes)
    damaged('a page ends too early')
  })

  test.if(process.platform === 'linux')(
    'a database that a running server writes to is refused',
    async () => {
      write(boltFile([['many', MANY]]))
      const holder = Bun.spawn(['flock', '--exclusive', path, 'sh', '-c', 'echo held; read _'], {
        stdin: 'pipe',
        stdout: 'pipe',
      })
      await holder.stdout.getReader().read()
      expect(read('many')).toContain('is in use by a running server')
      holder.stdin.end()
      await holder.exited
      expect(read('many')).toHaveLength(3000)
    },
  )
})
