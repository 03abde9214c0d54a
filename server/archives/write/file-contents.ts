/** Reads many files one after the other; small ones are read in batches, before they are needed. */
import type { Scope } from '#server/access/scope/scope.ts'
import type { Room } from '#server/storage/file-starts.ts'
import type { ByteRange, Node, Opened } from '#server/storage/node.ts'
import { parentPath, type TreePath } from '#wire/paths.ts'
import { readUnchanged } from './archive-walk.ts'

/** Files up to this size are read whole, in batches. */
export const SMALL_FILE_BYTES = 64 * 1024
/** The most bytes and files of a batch, which is in memory. */
const BATCH_BYTES = 2 * 1024 * 1024
const BATCH_FILES = 256

/** A file or folder; `range` selects the bytes of a file that is not small. */
export interface ContentItem {
  name: string
  node: Node
  range?: ByteRange
  /** Content that need not be read: at most `SMALL_FILE_BYTES`. */
  bytes?: Uint8Array
}

/**
 * An item with its content: the bytes, or an open file.
 *
 * With `bytes` there may be `framed`: the bytes with the requested room before and after them, which the caller fills in,
 * for example with a header. The `framed` bytes of one batch follow each other in memory, so that they can be sent without
 * a copy.
 */
export type Content<Of> = Of & {
  bytes?: Uint8Array
  framed?: Uint8Array | undefined
  file?: Opened
}

/**
 * Yields each item with its content, in order. A folder has none; a file has `bytes` or a `file`, which is open until
 * the next item is requested.
 *
 * @param roomOf returns the room around the bytes of a small file
 * @throws Fault as `Scope.read`, conflict for a file that was removed or denied since it was listed
 */
export async function* contentsOf<Of extends ContentItem>(
  scope: Scope,
  items: AsyncIterable<Of> | Iterable<Of>,
  roomOf: (item: Of) => Room,
): AsyncGenerator<Content<Of>> {
  let nextBatch: Promise<Content<Of>[]> | undefined
  try {
    for await (const batch of batchesOf(items)) {
      const next = readBatch(scope, batch, roomOf)
      // The loop reports a failure; this only avoids an unhandled rejection if the archive ends early.
      next.catch(() => undefined)
      const ready = nextBatch
      nextBatch = next
      if (ready) yield* openLarge(scope, await ready)
    }
    const last = nextBatch
    nextBatch = undefined
    if (last) yield* openLarge(scope, await last)
  } finally {
    await nextBatch?.catch(() => undefined)
  }
}

/** Groups small files of one folder that are read together. Any other item is a batch of its own. */
async function* batchesOf<Of extends ContentItem>(
  items: AsyncIterable<Of> | Iterable<Of>,
): AsyncGenerator<Of[]> {
  let batch: Of[] = []
  let folder: TreePath | undefined
  let bytes = 0
  for await (const item of items) {
    const { path, kind, sizeBytes } = item.node
    const isSmall = kind === 'file' && sizeBytes <= SMALL_FILE_BYTES && !item.bytes
    const parent = isSmall ? parentPath(path) : undefined
    const fits = isSmall && parent === folder && bytes < BATCH_BYTES && batch.length < BATCH_FILES
    if (!fits && batch.length > 0) {
      yield batch
      batch = []
      bytes = 0
    }
    folder = parent
    batch.push(item)
    bytes += sizeBytes
  }
  if (batch.length > 0) yield batch
}

/** Reads the files of a batch that can be read together. */
async function readBatch<Of extends ContentItem>(
  scope: Scope,
  batch: Of[],
  roomOf: (item: Of) => Room,
): Promise<Content<Of>[]> {
  const nodes = batch.map(({ node }) => node)
  const [first] = nodes
  if (first?.kind !== 'file' || first.sizeBytes > SMALL_FILE_BYTES || batch[0]?.bytes) return batch
  const room = batch.map(roomOf)
  const starts = await readUnchanged(batch[0]?.name ?? '', async () => {
    using folder = await scope.openFolder(parentPath(first.path))
    return await folder.readStarts(nodes, { bytesMax: SMALL_FILE_BYTES, room })
  })
  return batch.map((item, index) => {
    const start = starts[index]
    return start?.isAll ? { ...item, bytes: start.bytes, framed: start.framed } : item
  })
}

/** Yields the items of a batch. A file that was not read with it is opened when it is needed. */
async function* openLarge<Of extends ContentItem>(
  scope: Scope,
  batch: Content<Of>[],
): AsyncGenerator<Content<Of>> {
  for (const item of batch) {
    if (item.bytes || item.node.kind !== 'file') {
      yield item
      continue
    }
    const { name, node, range } = item
    const file = await readUnchanged(name, () => scope.read(node.path, () => range))
    try {
      yield { ...item, file }
    } finally {
      file.close()
    }
  }
}
