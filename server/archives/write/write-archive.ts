/** Sends files and folders as one archive stream. Files are read only as fast as the client receives. */

import type { Scope } from '#server/access/scope/scope.ts'
import { linkTargetMissing } from '#server/lib/common-faults.ts'
import { pacer } from '#server/lib/slices.ts'
import type { ByteRange, ByteStream, LeftOutReason, Node } from '#server/storage/node.ts'
import { Fault, isFault, isRefusedBySystem } from '#wire/fault.ts'
import { commonFolder, parentPath, type TreePath } from '#wire/paths.ts'
import type { ArchiveFormat } from '../codecs/archive-formats.ts'
import type { Codec } from '../codecs/codecs.ts'
import type { Bytes } from '../member.ts'
import { outermost } from './archive-names.ts'
import { refuseDeepTrees, walkMembers } from './archive-walk.ts'
import type { CrcCache } from './crc-cache.ts'
import { withLeftOutList } from './left-out-list.ts'
import type { OnLeftOut } from './readable.ts'
import { tar } from './tar.ts'
import { planZip } from './zip.ts'

/** The entries for an archive, before they are read. */
export interface Selection {
  /** The folder that member names are relative to. */
  base: TreePath
  /** Whether several paths were requested. */
  hasSeveralPaths: boolean
  roots: Node[]
  /** The requested paths that the archive does not contain. */
  leftOut: LeftOut[]
}

interface LeftOut {
  path: TreePath
  why: LeftOutReason
}

/**
 * Selects the entries for an archive. A single folder is the base itself, so that the archive does not contain it as
 * a folder; otherwise the base is the common parent. Denied entries, links that cannot be followed and special files are
 * left out.
 *
 * @throws Fault forbidden without the permission to download, notFound for a missing path; if nothing is left, the
 *   reason why the last entry was left out: forbidden, outside, notFound or unsupported
 */
export async function selectMembers(scope: Scope, paths: readonly TreePath[]): Promise<Selection> {
  if (!scope.may('download'))
    throw new Fault('forbidden', 'You do not have permission to download.')
  const requested = outermost(paths)
  const roots: Node[] = []
  const leftOut: LeftOut[] = []
  let refusal = new Fault('notFound', 'There is no file or folder with this name.')
  const pace = pacer()
  for (const path of requested) {
    await pace()
    try {
      const node = await scope.stat(path)
      const reason = reasonToLeaveOut(node)
      if (!reason) roots.push(node)
      else {
        refusal = reason
        leftOut.push({ path, why: node.kind === 'danglingLink' ? 'link' : 'special' })
      }
    } catch (error) {
      if (!isFault(error, 'forbidden', 'outside', 'unsupported')) throw error
      refusal = error
      leftOut.push({ path, why: reasonOf(error) })
    }
  }
  if (roots.length === 0) throw refusal
  return { base: baseOf(roots), hasSeveralPaths: requested.length > 1, roots, leftOut }
}

/** An archive that is ready to be sent. */
export interface Archive {
  /** Undefined if it is known only at the end. */
  sizeBytes: number | undefined
  /** For the ETag: changes if any of its files changes; undefined if it was not computed. */
  version: string | undefined
  /**
   * The bytes, or a range if the size is known. If reading fails, the stream fails, so that a truncated archive is
   * noticed. Ending or cancelling the stream closes all files.
   */
  bytes(range?: ByteRange): ByteStream
}

export interface ArchiveOptions {
  crcCache: CrcCache
  /** Ends the preparation. */
  clientLeft?: AbortSignal
  /** Called with each path that is left out: of a zip during the preparation. */
  leftOut?: OnLeftOut
  /** Called when all has been listed, so that nothing more is left out. */
  listed?: () => void
  /** Whether the archive contains a list of what it leaves out. */
  listsLeftOut?: boolean
}

/**
 * Prepares an archive. For a zip all entries are listed first, so that its size is known.
 *
 * @throws Fault unsupported if this machine cannot create the format, tooLarge if a zip cannot hold it, badRequest if it
 *   has too many levels of folders, forbidden if nothing in it can be read
 */
export async function archive(
  scope: Scope,
  selection: Selection,
  format: ArchiveFormat,
  {
    crcCache,
    clientLeft,
    leftOut = () => undefined,
    listed = () => undefined,
    listsLeftOut = false,
  }: ArchiveOptions,
): Promise<Archive> {
  const stop = new AbortController()
  clientLeft?.addEventListener('abort', () => stop.abort(), { once: true })
  if (clientLeft?.aborted) stop.abort()
  const missing = new Map<TreePath, LeftOutReason>()
  const leaveOut: OnLeftOut = (path, why) => {
    missing.set(path, why)
    leftOut(path, why)
  }
  for (const { path, why } of selection.leftOut) leaveOut(path, why)
  const spelling = format.container === 'zip' ? 'portable' : 'bytes'
  const walk = walkMembers(scope, { ...selection, spelling }, stop.signal, leaveOut)
  const walked = thenCall(walk, listed)
  const members = listsLeftOut ? withLeftOutList(walked, selection, missing) : walked
  if (format.container === 'zip') {
    const { sizeBytes, version, bytes } = await planZip(scope, members, {
      crcCache,
      stop: stop.signal,
    })
    return { sizeBytes, version, bytes: (range) => streamOf(bytes(range), stop) }
  }
  await refuseDeepTrees(scope, selection, stop.signal)
  const codec = await loadCodec(format)
  const begun = await afterFirst(members)
  const bytes = () => streamOf(codec(tar(scope, begun), stop.signal), stop)
  return { sizeBytes: undefined, version: undefined, bytes }
}

async function* thenCall<T>(items: AsyncIterable<T>, ended: () => void): AsyncGenerator<T> {
  yield* items
  ended()
}

/** Waits for the first item, whose faults can still refuse the request. */
async function afterFirst<T>(items: AsyncGenerator<T>): Promise<AsyncIterable<T>> {
  const first = await items.next()
  return (async function* () {
    if (first.done) return
    yield first.value
    yield* items
  })()
}

async function loadCodec({ codec, ending }: ArchiveFormat): Promise<Codec> {
  try {
    return (await codec?.()) ?? ((bytes) => bytes)
  } catch (cause) {
    throw new Fault('unsupported', `This server cannot create ${ending} archives.`, { cause })
  }
}

function baseOf(roots: readonly Node[]): TreePath {
  const [only] = roots
  if (only && roots.length === 1 && only.kind === 'folder') return only.path
  return commonFolder(roots.map(({ path }) => parentPath(path)))
}

/** Why a requested path is left out whose entry cannot be opened. */
function reasonOf(error: Fault): LeftOutReason {
  if (error.code === 'outside') return 'link'
  if (error.code === 'unsupported') return 'special'
  return isRefusedBySystem(error) ? 'unreadable' : 'denied'
}

/** @returns the reason why an entry cannot be archived; undefined if it can */
function reasonToLeaveOut({ kind }: Node): Fault | undefined {
  if (kind === 'file' || kind === 'folder') return undefined
  if (kind === 'danglingLink') return linkTargetMissing()
  return new Fault('unsupported', 'This is neither a file nor a folder.')
}

/** @param stop aborted if the client has left; cancel resolves when all work has ended */
function streamOf(bytes: Bytes, stop: AbortController): ByteStream {
  const iterator = bytes[Symbol.asyncIterator]()
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          // Promises alone give no other event a turn: a client that reads fast would stop all others.
          await new Promise(setImmediate)
          const { done, value } = await iterator.next()
          // The client has left: it gets neither this chunk nor the end.
          if (stop.signal.aborted) return
          if (done) controller.close()
          else controller.enqueue(value)
        } catch (error) {
          if (!stop.signal.aborted) controller.error(error)
        }
      },
      async cancel() {
        stop.abort()
        await iterator.return?.()
      },
    },
    { highWaterMark: 0 },
  )
}
