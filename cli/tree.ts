/** Opens a served folder for a command. */
import { openTree, type Tree } from '#server/tree.ts'
import type { OpenedCore } from './core.ts'

/**
 * Opens the tree for `work` and closes it afterwards. A running server notices the changes like those of any other
 * program.
 *
 * @param root the path of the served folder on the disk
 */
export async function withTree<T>(
  core: OpenedCore,
  root: string,
  work: (tree: Tree) => Promise<T>,
): Promise<T> {
  const { config, rows, flushes, shares, seenTime, cluster } = core
  const tree = await openTree(root, config, { rows, flushes, shares, seenTime, cluster })
  try {
    return await work(tree)
  } finally {
    tree.close()
  }
}
