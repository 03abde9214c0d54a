/** Nodes of one folder in the order of their bytes, made in slices. */
import { runToEnd } from '#server/slices.ts'
import type { Node } from '#server/storage/node.ts'
import { nameOf } from '#wire/paths.ts'
import { simpleKeysOf, sortKeys } from './name-order.ts'

/** @param nodes children of one folder */
export async function inByteOrder(nodes: readonly Node[]): Promise<Node[]> {
  const keys = await runToEnd(simpleKeysOf(nodes.map(({ path }) => nameOf(path))))
  const order = await runToEnd(sortKeys(keys, () => 0))
  return Array.from(order, (at) => nodes[at] as Node)
}
