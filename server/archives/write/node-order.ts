/** Sorts nodes by the bytes of their names, in slices. */

import { simpleKeysOf, sortKeys } from '#server/lib/name-order.ts'
import { runInSlices } from '#server/lib/slices.ts'
import type { Node } from '#server/storage/node.ts'
import { nameOf } from '#wire/paths.ts'

/** @param nodes children of one folder */
export async function inByteOrder(nodes: readonly Node[]): Promise<Node[]> {
  const keys = await runInSlices(simpleKeysOf(nodes.map(({ path }) => nameOf(path))))
  const order = await runInSlices(sortKeys(keys, () => 0))
  return Array.from(order, (index) => nodes[index] as Node)
}
