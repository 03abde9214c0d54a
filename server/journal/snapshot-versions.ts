/** Versions of a file in file system snapshots, for users who may see the file itself. */
import type { Scope } from '#server/access/scope.ts'
import type { ByteRange, Node, Opened } from '#server/storage/node.ts'
import type { SnapshotFile, Snapshots } from '#server/storage/snapshot-file.ts'
import { Fault } from '#wire/fault.ts'
import { joinPath, type TreePath } from '#wire/paths.ts'

export class SnapshotVersions {
  readonly #snapshots: Snapshots | undefined

  /** @param snapshots those of the whole served tree */
  constructor(snapshots: Snapshots | undefined) {
    this.#snapshots = snapshots
  }

  /** @throws Fault forbidden, notFound */
  async list(scope: Scope, path: TreePath): Promise<SnapshotFile[]> {
    const { kind } = await scope.stat(path)
    if (kind !== 'file') return []
    return (await this.#snapshots?.list(await treePathOf(scope, path))) ?? []
  }

  /** @throws Fault forbidden (also without the right to download), notFound */
  async read(
    scope: Scope,
    path: TreePath,
    id: number,
    range?: (node: Node) => ByteRange | undefined,
  ): Promise<Opened> {
    const located = await treePathOf(scope, path)
    if (!scope.may('download')) {
      throw new Fault('forbidden', 'You do not have permission to do this.')
    }
    const opened = await this.#snapshots?.read(located, id, range)
    if (!opened) throw new Fault('notFound', 'There is no such version of this file.')
    return opened
  }

  /**
   * Replaces the file by one of its versions; the snapshot does not change.
   *
   * @throws as `read`, and as `Scope.save`
   */
  async restore(scope: Scope, path: TreePath, id: number): Promise<void> {
    const opened = await this.read(scope, path, id)
    try {
      await scope.save(path, opened.bytes, () => true)
    } finally {
      opened.close()
    }
  }
}

/**
 * Resolves links and checks access: a user who may not see the file sees none of its versions.
 *
 * @throws Fault forbidden, notFound
 */
async function treePathOf(scope: Scope, path: TreePath): Promise<TreePath> {
  const { real } = await scope.stat(path)
  return joinPath(scope.actor.scope, real)
}
