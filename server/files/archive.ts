/** Many files as one stream. Nothing is read before somebody asks, and no more than they take. */
import type { Scope } from '#server/access/scope.ts'
import type { ByteRange, ByteStream, Node } from '#server/storage/node.ts'
import { Fault, isFault } from '#wire/fault.ts'
import { parentPath, type TreePath } from '#wire/paths.ts'
import type { ArchiveFormat } from './archive-formats.ts'
import { commonFolder, outermost } from './archive-names.ts'
import { membersOf } from './archive-walk.ts'
import type { Bytes, Codec } from './codec.ts'
import { tar } from './tar.ts'
import { type Checks, planZip } from './zip.ts'

/** Names looked at between two turns of the event loop. */
const SLICE = 64

/** What is to be archived: looked at, not yet read. */
export interface Selection {
  /** The folder from which members are named. */
  base: TreePath
  /** More than one thing was asked for. */
  several: boolean
  tops: Node[]
}

/**
 * Looks at what is to be archived. A folder alone becomes the base, so that it does not wrap what it
 * holds; else the base is the folder common to all. What the actor may not see, and links that lead to
 * nothing, are left out, unless nothing else was asked for.
 *
 * @throws Fault forbidden (no permission to download, or everything is denied), notFound, unsupported
 */
export async function select(scope: Scope, paths: readonly TreePath[]): Promise<Selection> {
  if (!scope.may('download'))
    throw new Fault('forbidden', 'You do not have permission to download.')
  const wanted = outermost(paths)
  const tops: Node[] = []
  let refusal = new Fault('notFound', 'There is no file or folder with this name.')
  for (const [index, path] of wanted.entries()) {
    if (index % SLICE === SLICE - 1) await new Promise(setImmediate)
    try {
      const node = await scope.stat(path)
      const whyNot = reasonAgainst(node)
      if (whyNot) refusal = whyNot
      else tops.push(node)
    } catch (error) {
      if (!isFault(error, 'forbidden', 'outside', 'unsupported')) throw error
      refusal = error
    }
  }
  if (tops.length === 0) throw refusal
  return { base: baseOf(tops), several: wanted.length > 1, tops }
}

/** An archive that can be sent. */
export interface Archive {
  /** Undefined where nobody knows before it is made. */
  sizeBytes: number | undefined
  /** Changes when anything that goes into it does; undefined where nobody looked. */
  version: string | undefined
  /**
   * The bytes, or a span of them where the size is known. A failure on the way fails the stream, so that
   * half an archive is never taken for a whole one; ending or cancelling it closes every file.
   */
  bytes(range?: ByteRange): ByteStream
}

/**
 * Looks at all that goes into a zip, or at nothing yet for the other formats.
 *
 * @param gone ends the look
 * @throws Fault unsupported when this machine cannot make the format, tooLarge for too large a zip
 */
export async function archive(
  scope: Scope,
  selection: Selection,
  format: ArchiveFormat,
  checks: Checks,
  gone?: AbortSignal,
): Promise<Archive> {
  const stop = new AbortController()
  gone?.addEventListener('abort', () => stop.abort(), { once: true })
  const members = membersOf(scope, selection, stop.signal)
  if (format.container === 'zip') {
    const { sizeBytes, version, bytes } = await planZip(scope, members, checks)
    return { sizeBytes, version, bytes: (range) => streamOf(bytes(range), stop) }
  }
  const codec = await loadCodec(format)
  const bytes = () => streamOf(codec(tar(scope, members), stop.signal), stop)
  return { sizeBytes: undefined, version: undefined, bytes }
}

async function loadCodec({ codec, ending }: ArchiveFormat): Promise<Codec> {
  try {
    return (await codec?.()) ?? ((bytes) => bytes)
  } catch (cause) {
    throw new Fault('unsupported', `This server cannot make ${ending} archives.`, { cause })
  }
}

function baseOf(tops: readonly Node[]): TreePath {
  const [only] = tops
  if (only && tops.length === 1 && only.kind === 'folder') return only.path
  return commonFolder(tops.map(({ path }) => parentPath(path)))
}

/** Why something that is there is not archived; undefined for what is. */
function reasonAgainst({ kind }: Node): Fault | undefined {
  if (kind === 'file' || kind === 'folder') return undefined
  if (kind === 'danglingLink') return new Fault('notFound', 'This link leads to nothing.')
  return new Fault('unsupported', 'This is neither a file nor a folder.')
}

/** @param stop is aborted when nobody wants the rest; cancelling resolves when all work has ended */
function streamOf(bytes: Bytes, stop: AbortController): ByteStream {
  const iterator = bytes[Symbol.asyncIterator]()
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          const { done, value } = await iterator.next()
          // Whoever left meanwhile wants neither this part nor the end.
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
