/** Converts a node of the storage to an entry of the API (docs/api.md 8.1). */

import type { Node, NodeKind } from '#server/storage/node.ts'
import type { Entry, EntryType } from '#wire/api/entry.ts'
import { extensionOf, nameOf } from '#wire/paths.ts'

/** The type bits of Go's FileMode. */
const GO_KIND: Record<NodeKind, number> = {
  file: 0,
  folder: 2 ** 31,
  danglingLink: 2 ** 27,
  device: 2 ** 26,
  pipe: 2 ** 25,
  socket: 2 ** 24,
}

/** @param name the last name of the path */
export function entryOf(node: Node, type: EntryType, name = nameOf(node.path)): Entry {
  return {
    path: node.path,
    name,
    size: node.sizeBytes,
    extension: node.kind === 'folder' ? '' : extensionOf(name),
    modified: new Date(node.modifiedMs).toISOString(),
    mode: (node.mode & 0o777) + GO_KIND[node.kind],
    isDir: node.kind === 'folder',
    isSymlink: node.isLink,
    type,
  }
}
