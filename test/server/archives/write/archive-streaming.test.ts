/** How an archive is made while its client reads it or stops reading it, or a failure occurs. */
import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { randomBytes } from 'node:crypto'
import {
  mkdirSync,
  readdirSync,
  readlinkSync,
  renameSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { codecThreads } from '#server/archives/codecs/codec-workers.ts'
import { walkMembers } from '#server/archives/write/archive-walk.ts'
import { CrcCache } from '#server/archives/write/crc-cache.ts'
import { selectMembers } from '#server/archives/write/write-archive.ts'
import { planZip } from '#server/archives/write/zip.ts'
import { FolderNodes } from '#server/storage/folder-nodes.ts'
import { LocalStorage } from '#server/storage/local/local-storage.ts'
import type { Node, Opened } from '#server/storage/node.ts'
import type { Storage } from '#server/storage/storage.ts'
import { Fault } from '#wire/fault.ts'
import { parsePath, ROOT } from '#wire/paths.ts'
import {
  archived,
  archiveOf,
  FORMAT_NAMES,
  namesIn,
  rest,
  scopeOn,
} from '../../../support/files/archives.ts'
import { temporaryFolder } from '../../../support/files/tree.ts'
import { MemoryStorage } from '../../../support/storage/memory-storage.ts'

const MIB = 1024 * 1024
const CHUNK = randomBytes(MIB / 4)

let root: ReturnType<typeof temporaryFolder>
let storage: LocalStorage
/** The open files before a test. */
let idle: string[]

beforeEach(async () => {
  root = temporaryFolder()
  storage = await LocalStorage.open(root.path, {
    fileMode: 0o640,
    folderMode: 0o750,
    ownPaths: { files: [], folders: [] },
  })
  idle = openFiles()
})

afterEach(() => {
  storage.close()
  root.remove()
})

const put = (name: string, content: string | Uint8Array = name) =>
  writeFileSync(join(root.path, name), content)

/** A storage with one file, whose content comes from the source of the test. */
class OneFile extends MemoryStorage {
  readonly #sizeBytes: number
  readonly #source: UnderlyingDefaultSource<Uint8Array>

  constructor(sizeBytes: number, source: UnderlyingDefaultSource<Uint8Array>) {
    super()
    this.#sizeBytes = sizeBytes
    this.#source = source
  }

  override within(): Storage {
    return this
  }

  override async list(): Promise<FolderNodes> {
    const top = await super.stat(ROOT)
    const path = parsePath('/file')
    const node: Node = { ...top, path, real: path, kind: 'file', sizeBytes: this.#sizeBytes }
    return FolderNodes.of([node])
  }

  override async read(): Promise<Opened> {
    const [node] = await this.list()
    if (!node) throw new Error('There is one file.')
    const bytes = new ReadableStream(this.#source)
    const part = () => bytes
    return { node, range: undefined, disk: undefined, bytes, part, close: () => undefined }
  }
}

describe('a failure does not look like the end of the archive', () => {
  test.each(FORMAT_NAMES)(
    'the stream of a %s fails if a file cannot be read to its end',
    async (format) => {
      let left = 4
      const breaking = new OneFile(1024 * MIB, {
        pull(controller) {
          left -= 1
          if (left > 0) controller.enqueue(CHUNK)
          else controller.error(new Error('The disk broke.'))
        },
      })
      await expect(drained(breaking, format)).rejects.toThrow('The disk broke.')
    },
  )

  test('an archive is aborted if a small file cannot be read', async () => {
    const unreadable = new OneFile(10, {
      start: (controller) => controller.error(new Error('The disk broke.')),
    })
    await expect(drained(unreadable, 'tar')).rejects.toThrow('The disk broke.')
  })

  test('an archive is aborted if a file becomes shorter', async () => {
    put('big', randomBytes(16 * MIB))
    const reader = (await archiveOf(scopeOn(storage), 'tar', '/')).getReader()
    await reader.read()
    truncateSync(join(root.path, 'big'), 1000)
    await expect(rest(reader)).rejects.toThrow('shorter')
    expect(openFiles()).toEqual(idle)
  })

  async function drained(tree: Storage, format: (typeof FORMAT_NAMES)[number]) {
    return rest((await archiveOf(scopeOn(tree), format, '/')).getReader())
  }
})

test('the event loop runs before each chunk of an archive', async () => {
  const source = {
    pull: (controller: ReadableStreamDefaultController) => controller.enqueue(CHUNK),
  }
  const tree = new OneFile(40 * CHUNK.length, source)
  const reader = (await archiveOf(scopeOn(tree), 'tar', '/')).getReader()
  let others = 0
  const count = () => {
    others += 1
    other = setImmediate(count)
  }
  let other = setImmediate(count)
  for (let chunks = 0; chunks < 20; chunks += 1) await reader.read()
  clearImmediate(other)
  expect(others).toBeGreaterThanOrEqual(19)
  await reader.cancel()
})

test.each(['b', 'c', 'd'])(
  'the stream of a tar fails if %s is moved while the tar is made',
  async (name) => {
    put('a', randomBytes(8 * MIB))
    put('b', randomBytes(MIB))
    // Small files are read in batches, before they are needed.
    mkdirSync(join(root.path, 'c'))
    put('c/small')
    mkdirSync(join(root.path, 'd/e'), { recursive: true })
    put('d/e/large', randomBytes(MIB))
    const reader = (await archiveOf(scopeOn(storage), 'tar', '/')).getReader()
    await reader.read()
    renameSync(join(root.path, name), join(root.path, 'elsewhere'))
    const fault = await rest(reader).catch((error: unknown) => error)
    expect(fault).toMatchObject({ code: 'conflict', reason: 'changedMeanwhile' })
    expect(openFiles()).toEqual(idle)
  },
)

test('a zip of too many files is refused before a byte is sent; a tar is not', async () => {
  for (let at = 0; at < 12; at += 1) put(`file ${at}`)
  const scope = scopeOn(storage)
  const { signal } = new AbortController()
  const selection = await selectMembers(scope, [ROOT])
  const planned = planZip(
    scope,
    walkMembers(scope, selection, signal, () => undefined),
    { crcCache: new CrcCache(), stop: signal, entriesMax: 11 },
  )
  await expect(planned).rejects.toMatchObject({ code: 'tooLarge' })
  expect(await archived(scope, 'tar', '/')).not.toHaveLength(0)
})

test('a zip has 100 000 entries at most @limit-30', async () => {
  const folder = { ...(await new MemoryStorage().stat(ROOT)), kind: 'folder' as const }
  async function* folders(count: number) {
    for (let at = 0; at < count; at += 1) yield { name: `${at}`, node: folder }
  }
  const options = { crcCache: new CrcCache(), stop: new AbortController().signal }
  const planned = (count: number) => planZip(scopeOn(storage), folders(count), options)
  expect((await planned(100_000)).sizeBytes).toBeGreaterThan(100_000)
  await expect(planned(100_001)).rejects.toMatchObject({ code: 'tooLarge' })
}, 30_000)

test('closing an archive waits until its threads have ended', async () => {
  put('large', randomBytes(4 * MIB))
  const reader = (await archiveOf(scopeOn(storage), 'tarbz2', '/')).getReader()
  await reader.read()
  expect(codecThreads()).toBeGreaterThan(0)
  await reader.cancel()
  expect(codecThreads()).toBe(0)
})

test('an archive is aborted if a rule or the system denies a file while it is made', async () => {
  class Denied extends MemoryStorage {
    readonly #denial: Fault

    constructor(denial: Fault) {
      super()
      this.#denial = denial
    }

    override within(): Storage {
      return this
    }

    override async read(): Promise<Opened> {
      throw this.#denial
    }
  }
  const made = async (denial: Fault) => {
    const denied = new Denied(denial)
    await denied.write(parsePath('/file'), CHUNK, { overwrite: false })
    return namesIn('tar', await archived(scopeOn(denied), 'tar', '/'))
  }
  await expect(made(new Fault('forbidden', 'a rule'))).rejects.toThrow('changed or disappeared')
  const cause = new Error('a rule was read')
  await expect(made(new Fault('forbidden', 'a rule', { cause }))).rejects.toThrow('disappeared')
  const errno = 'EACCES'
  await expect(made(new Fault('forbidden', 'the system', { errno }))).rejects.toThrow('the system')
})

describe('a reader that stops', () => {
  test.each(FORMAT_NAMES)(
    'a %s is made only as fast as it is read, and no longer after the reader cancels',
    async (format) => {
      let given = 0
      let cancelled = false
      const endless = new OneFile(1024 * 1024 * MIB, {
        pull(controller) {
          given += CHUNK.length
          controller.enqueue(CHUNK)
        },
        cancel() {
          cancelled = true
        },
      })
      const reader = (await archiveOf(scopeOn(endless), format, '/')).getReader()
      await reader.read()
      await eventLoopTurn()
      expect(given).toBeLessThan(32 * MIB)
      expect(cancelled).toBe(false)
      await reader.cancel()
      expect(cancelled).toBe(true)
    },
  )

  test.each(['zip', 'tar', 'targz', 'tarbz2'] as const)(
    'every file of a %s is closed when the reader cancels',
    async (format) => {
      put('big', randomBytes(8 * MIB))
      const reader = (await archiveOf(scopeOn(storage), format, '/')).getReader()
      await reader.read()
      expect(openFiles()).toContain(join(root.path, 'big'))
      await reader.cancel()
      expect(openFiles()).toEqual(idle)
    },
  )

  test('a client that leaves before the first byte causes no open file', async () => {
    put('big', CHUNK)
    const stream = await archiveOf(scopeOn(storage), 'tar', '/')
    expect(openFiles()).toEqual(idle)
    await stream.cancel()
    expect(openFiles()).toEqual(idle)
  })
})

/** The paths of the open files at or below the root. */
function openFiles(): string[] {
  const paths = readdirSync('/proc/self/fd').map((fd) => {
    try {
      return readlinkSync(`/proc/self/fd/${fd}`)
    } catch {
      // The descriptor of the listing itself.
      return ''
    }
  })
  return paths.filter((path) => path.startsWith(root.path)).sort()
}

/** Lets the event loop run many times, so that all pending work that needs no input proceeds. */
async function eventLoopTurn(): Promise<void> {
  for (let turn = 0; turn < 200; turn += 1) await new Promise(setImmediate)
}
