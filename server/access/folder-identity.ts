/** Tells a folder from another one that later has its name. */
import type { Node } from '#server/storage/node.ts'

/** @returns the identity of the folder of a node: its number on its file system, and when it was created */
export function folderIdentity({ identity, bornMs }: Pick<Node, 'identity' | 'bornMs'>): string {
  return `${identity}@${bornMs ?? 0}`
}
