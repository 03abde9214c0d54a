/** Members → the bytes of a zip or a tar. The only place that knows archiver. */
import type { Stats } from 'node:fs'
import { Readable } from 'node:stream'
import { type Archiver, type EntryData, TarArchive, ZipArchive } from 'archiver'
import type { ByteStream, Node } from '#server/storage/storage.ts'
import { Fault } from '#wire/fault.ts'
import { LIMITS } from '#wire/limits.ts'
import type { Member } from './archive-walk.ts'
import type { Bytes } from './codec.ts'

/** What tar-stream writes into a header: 31 bits. */
const SECONDS_MAX = 2 ** 31 - 1
/** Smaller files are handed over whole: streams cost more than they save. */
const SMALL_BYTES = 64 * 1024

/**
 * The times of a zip are local by convention. Level 4 is half as small again as the fastest, and as
 * fast.
 */
const ZIP = { forceLocalTime: true, zlib: { level: 4 } }

/**
 * Writes members into a container, one at a time. When it is ended early, or fails, the member at
 * hand is closed and no other is opened.
 *
 * @param stop ends also what it is waiting for at that moment
 * @throws Fault tooLarge when a zip would hold more than `zipEntriesMax`, or names that take too much room
 */
export async function* pack(
  container: 'zip' | 'tar',
  members: AsyncGenerator<Member>,
  stop: AbortSignal,
  zipEntriesMax: number = LIMITS.zipEntriesMax,
): Bytes {
  const archive = container === 'zip' ? new ZipArchive(ZIP) : new TarArchive()
  const left = new AbortController()
  const counted = container === 'zip' ? bounded(members, zipEntriesMax) : members
  const feeding = feed(archive, counted, AbortSignal.any([left.signal, stop]))
  try {
    yield* bytesOf(archive, feeding)
  } finally {
    left.abort()
    await feeding.catch(() => undefined)
  }
}

async function* bounded(members: AsyncGenerator<Member>, most: number): AsyncGenerator<Member> {
  let count = 0
  let nameBytes = 0
  for await (const member of members) {
    count += 1
    nameBytes += Buffer.byteLength(member.name)
    if (count > most || nameBytes > LIMITS.zipNamesMaxBytes) {
      if ('file' in member) await member.file.bytes.cancel()
      throw new Fault('tooLarge', 'A zip cannot hold so many files and folders; a tar can.')
    }
    yield member
  }
}

/**
 * What comes out of an archive, until its end or until feeding it fails. An archive is never
 * destroyed: with a member on its way through a tar, that raises an error which nobody can catch. One
 * that is left in the middle has nothing open and goes to the garbage collector.
 */
async function* bytesOf(archive: Archiver, feeding: Promise<void>): Bytes {
  let news = Promise.withResolvers<void>()
  let ended = false
  let failure: Error | undefined
  const fail = (error: Error) => {
    failure = error
    news.resolve()
  }
  feeding.catch(fail)
  archive.on('error', fail)
  archive.on('readable', () => news.resolve())
  archive.on('end', () => {
    ended = true
    news.resolve()
  })
  for (;;) {
    if (failure) throw failure
    const chunk: Buffer | null = archive.read()
    if (chunk) {
      yield chunk
    } else {
      if (ended) return
      await news.promise
      news = Promise.withResolvers()
    }
  }
}

async function feed(
  archive: Archiver,
  members: AsyncGenerator<Member>,
  left: AbortSignal,
): Promise<void> {
  for await (const { name, ...member } of members) {
    const [source, data] =
      'folder' in member
        ? [Buffer.alloc(0), folderData(name, member.folder)]
        : [await sourceOf(member.file), fileData(name, member.file.node)]
    await append(archive, source, data, left)
  }
  // Whoever reads the archive hears of a failure.
  archive.finalize().catch(() => undefined)
}

function sourceOf({ node, bytes }: { node: Node; bytes: ByteStream }): Promise<Buffer> | Readable {
  if (node.sizeBytes > SMALL_BYTES) return Readable.from(bytes)
  return new Response(bytes).arrayBuffer().then((whole) => Buffer.from(whole))
}

/**
 * Resolves when the archive has taken all of it; rejects when the source fails, or the reader left.
 * Either way the source is closed by then.
 */
function append(
  archive: Archiver,
  source: Buffer | Readable,
  data: EntryData,
  left: AbortSignal,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const settle = (outcome: () => void) => {
      archive.off('entry', taken)
      left.removeEventListener('abort', stopped)
      if (source instanceof Readable && !source.closed) source.destroy().once('close', outcome)
      else outcome()
    }
    const taken = () => settle(resolve)
    const failed = (error: Error) => settle(() => reject(error))
    const stopped = () => failed(new Error('The reader left.'))
    if (left.aborted) return stopped()
    left.addEventListener('abort', stopped)
    archive.on('entry', taken)
    if (source instanceof Readable) source.on('error', failed)
    archive.append(source, data)
  })
}

function folderData(name: string, node: Node): EntryData {
  return { ...common(name, node), type: 'directory' }
}

function fileData(name: string, node: Node): EntryData {
  // Of the stats archiver reads the size, to write a tar's header before the bytes.
  return { ...common(name, node), type: 'file', stats: { size: node.sizeBytes } as Stats }
}

function common(name: string, { mode, modifiedMs }: Node): EntryData {
  const seconds = Math.min(Math.max(0, Math.floor(modifiedMs / 1000)), SECONDS_MAX)
  return {
    // archiver takes `Re: ` at the front for the drive of a Windows path, and removes it.
    name: /^\w+:/.test(name) ? `./${name}` : name,
    mode: mode & 0o777,
    date: new Date(seconds * 1000),
  }
}
