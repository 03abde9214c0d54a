/**
 * What is at the path of a share. A share of a folder is of that very folder. A share of a file is of the file with its
 * name, because programs replace a file when they save it; but not of a later one, once nothing had the name
 * (docs/api.md 7).
 */
import { folderIdentity } from '#server/access/folder-identity.ts'
import { mayManage, requireAction } from '#server/access/policy.ts'
import type { Scope } from '#server/access/scope/scope.ts'
import type { Scopes } from '#server/access/scope/scopes.ts'
import type { ShareRows, StoredShare } from '#server/db/rows/shares.ts'
import type { UserRows } from '#server/db/rows/users.ts'
import { linkTargetMissing } from '#server/lib/common-faults.ts'
import type { Node } from '#server/storage/node.ts'
import type { LostShare } from '#wire/api/share.ts'
import { Fault, isFault } from '#wire/fault.ts'
import { parentPath, ROOT, type TreePath } from '#wire/paths.ts'

interface Deps {
  rows: Pick<ShareRows, 'setResolved' | 'setLost'>
  users: UserRows
  scopes: Scopes
}

export class SharedObjects {
  readonly #deps: Deps

  constructor(deps: Deps) {
    this.#deps = deps
  }

  /**
   * @param scope of the owner
   * @returns the share as it is stored now, and what it is of
   * @throws Fault notFound (nothing is there, or something else); as `Scope.stat`
   */
  async find(share: StoredShare, scope: Scope): Promise<{ share: StoredShare; node: Node }> {
    const node = await this.#stat(share, scope)
    if (!node || share.lostMs > 0) throw noShare()
    const current = { realPath: node.real, target: objectOf(node), isFolder: isFolder(node) }
    if (share.realPath !== undefined && !isSame(share, current)) throw noShare()
    if (share.realPath === undefined || share.target !== current.target) {
      await this.#deps.rows.setResolved(share.hash, current)
    }
    return { share: { ...share, ...current }, node }
  }

  /** @returns why visitors see nothing of a share; undefined if they see it, or if that cannot be told now */
  async lossOf(share: StoredShare): Promise<LostShare | undefined> {
    const owner = await this.#deps.users.find(share.userId)
    if (!owner) return 'missing'
    const scope = this.#deps.scopes.of(owner)
    try {
      await this.find(share, scope)
      return undefined
    } catch (error) {
      if (!isFault(error, 'notFound')) return undefined
      return (await isThere(scope, share.path)) ? 'another' : 'missing'
    }
  }

  /**
   * Makes a share that has lost its file or folder one of what has the name now.
   *
   * @param scope of the user who asks: the owner of the share, or an administrator
   * @throws Fault notFound, forbidden
   */
  async adopt(scope: Scope, share: StoredShare): Promise<void> {
    requireAction(scope.actor, 'share')
    if (!mayManage(scope.actor, share.userId)) {
      throw new Fault('forbidden', 'This share belongs to another user.')
    }
    const owner = await this.#deps.users.find(share.userId)
    if (!owner) throw noShare()
    const ownerScope = this.#deps.scopes.of(owner)
    ownerScope.requireVisible(share.path)
    const node = await ownerScope.stat(share.path)
    if (node.kind === 'danglingLink') throw linkTargetMissing()
    if (node.kind !== 'file' && node.kind !== 'folder')
      throw new Fault('notFound', 'Only a file or a folder can be shared.')
    const current = { realPath: node.real, target: objectOf(node), isFolder: isFolder(node) }
    await this.#deps.rows.setResolved(share.hash, current)
  }

  /** Stores if the file of a share is seen missing. */
  async #stat(share: StoredShare, scope: Scope): Promise<Node | undefined> {
    try {
      return await scope.stat(share.path)
    } catch (error) {
      if (!isFault(error, 'notFound')) throw error
      // On another file system than it was, nothing is missing: the disk of the file is not mounted now.
      const isGone = share.target === deviceOf(await nearestFolder(scope, share.path))
      if (isGone && !share.isFolder) await this.#deps.rows.setLost(share.hash, Date.now())
      return undefined
    }
  }
}

/** @returns what a share of a node is of: the folder itself; of a file only its file system, since it may be replaced */
export function objectOf(node: Node): string {
  return isFolder(node) ? folderIdentity(node) : deviceOf(node)
}

function deviceOf(node: Node | undefined): string {
  return node ? `on ${node.device ?? ''}` : ''
}

function isFolder(node: Node): boolean {
  return node.kind === 'folder'
}

type Target = Pick<StoredShare, 'realPath' | 'target' | 'isFolder'>

/** Whether a path leads to what was shared; a symbolic link may have replaced it. */
function isSame(share: Target, current: Target): boolean {
  if (share.isFolder !== current.isFolder || share.realPath !== current.realPath) return false
  return !share.isFolder || share.target === '' || share.target === current.target
}

async function nearestFolder(scope: Scope, path: TreePath): Promise<Node | undefined> {
  for (let folder = path; folder !== ROOT; ) {
    folder = parentPath(folder)
    const node = await scope.stat(folder).catch(() => undefined)
    if (node) return node
  }
  return undefined
}

async function isThere(scope: Scope, path: TreePath): Promise<boolean> {
  return (await scope.stat(path).catch(() => undefined)) !== undefined
}

function noShare(): Fault {
  return new Fault('notFound', 'There is no such share.')
}
