/** Versions of a file in file system snapshots, for users who may see the file itself. */
import { may } from '#server/access/policy.ts'
import type { Scope } from '#server/access/scope/scope.ts'
import type { ByteRange, Node, Opened } from '#server/storage/node.ts'
import type { KnownSince, SnapshotFile, Snapshots } from '#server/storage/snapshot-file.ts'
import { Fault } from '#wire/fault.ts'
import { joinPath, type TreePath } from '#wire/paths.ts'

/** What the trash knows of the age of a file. */
interface OldestVersions {
  /** @returns when the oldest version of a file was replaced, in milliseconds; undefined without versions */
  oldestVersionMs(path: TreePath): Promise<number | undefined>
}

export class SnapshotVersions {
  readonly #snapshots: Snapshots | undefined
  readonly #kept: OldestVersions

  /** @param snapshots those of the whole served tree */
  constructor(snapshots: Snapshots | undefined, kept: OldestVersions) {
    this.#snapshots = snapshots
    this.#kept = kept
  }

  /** @throws Fault forbidden, notFound */
  async list(scope: Scope, path: TreePath): Promise<SnapshotFile[]> {
    const { kind } = await scope.stat(path)
    if (kind !== 'file') return []
    const located = await treePathOf(scope, path)
    return (await this.#snapshots?.list(located, await this.#knownSince(scope, located))) ?? []
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
    const known = await this.#knownSince(scope, located)
    const opened = await this.#snapshots?.read(located, id, known, range)
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

  /** Administrators see every file that had the path; others only what belongs to the present one. */
  async #knownSince(scope: Scope, path: TreePath): Promise<KnownSince> {
    return may(scope.actor, 'administer') ? 'any' : await this.#kept.oldestVersionMs(path)
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
