/** The bytes of many files, one after the other; small ones are read many at a time, and ahead. */
import type { Scope } from '#server/access/scope.ts'
import type { ByteRange, Node, Opened } from '#server/storage/node.ts'
import { parentPath, type TreePath } from '#wire/paths.ts'
import { ifExists } from './archive-walk.ts'

/** Files up to this are read whole, in batches. */
export const SMALL_BYTES = 64 * 1024
const BATCH_BYTES = 2 * 1024 * 1024
const BATCH_FILES = 256

/** What may be a file: `range` is what is wanted of one that is not small. */
export interface Item {
  node: Node
  range?: ByteRange
}

/** Something that may have bytes: a file's are known, can be read, or are not there any more. */
export type Content<Of> = Of & { bytes?: Uint8Array; file?: Opened }

/**
 * Each item with its bytes, in their order. A folder has none; a file has `bytes` or an open `file`, which
 * must be read or cancelled, or neither where it is gone.
 *
 * @throws Fault as Scope.read
 */
export async function* contentsOf<Of extends Item>(
  scope: Scope,
  items: AsyncIterable<Of> | Iterable<Of>,
): AsyncGenerator<Content<Of>> {
  let ahead: Promise<Content<Of>[]> | undefined
  try {
    for await (const batch of batchesOf(items)) {
      const next = read(scope, batch)
      // Whoever waits for it hears of a failure; nobody may be waiting when the archive ends early.
      next.catch(() => undefined)
      const ready = ahead
      ahead = next
      if (ready) yield* opened(scope, await ready)
    }
    const last = ahead
    ahead = undefined
    if (last) yield* opened(scope, await last)
  } finally {
    await ahead?.catch(() => undefined)
  }
}

/** Files that can be read together: small ones of one folder. Everything else is alone. */
async function* batchesOf<Of extends Item>(
  items: AsyncIterable<Of> | Iterable<Of>,
): AsyncGenerator<Of[]> {
  let batch: Of[] = []
  let folder: TreePath | undefined
  let bytes = 0
  for await (const item of items) {
    const { path, kind, sizeBytes } = item.node
    const isSmall = kind === 'file' && sizeBytes <= SMALL_BYTES
    const above = isSmall ? parentPath(path) : undefined
    const fits = isSmall && above === folder && bytes < BATCH_BYTES && batch.length < BATCH_FILES
    if (!fits && batch.length > 0) {
      yield batch
      batch = []
      bytes = 0
    }
    folder = above
    batch.push(item)
    bytes += sizeBytes
  }
  if (batch.length > 0) yield batch
}

/** What can be read together is read. */
async function read<Of extends Item>(scope: Scope, batch: Of[]): Promise<Content<Of>[]> {
  const nodes = batch.map(({ node }) => node)
  const [first] = nodes
  if (first?.kind !== 'file' || first.sizeBytes > SMALL_BYTES) return batch
  const starts = await ifExists(() => scope.starts(parentPath(first.path), nodes, SMALL_BYTES))
  return batch.map((item, at) => {
    const start = starts?.[at]
    return start?.isAll ? { ...item, bytes: start.bytes } : item
  })
}

/** What was not read together is opened when it is its turn, and not before. */
async function* opened<Of extends Item>(
  scope: Scope,
  batch: Content<Of>[],
): AsyncGenerator<Content<Of>> {
  for (const item of batch) {
    if (item.bytes || item.node.kind !== 'file') {
      yield item
      continue
    }
    const { node, range } = item
    const file = await ifExists(() => scope.read(node.path, () => range))
    yield file ? { ...item, file } : item
  }
}
