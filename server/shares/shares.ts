/** Public shares: created, listed and deleted. They follow renames of their target, and are deleted with it. */

import type { PathListener } from '#server/access/file-events.ts'
import { may, mayManage, requireAction } from '#server/access/policy.ts'
import type { Scope } from '#server/access/scope/scope.ts'
import { randomId } from '#server/db/random-id.ts'
import type { ShareRows, StoredShare } from '#server/db/rows/shares.ts'
import type { StoredUser, UserRows } from '#server/db/rows/users.ts'
import { linkTargetMissing } from '#server/lib/common-faults.ts'
import { SERVER_LIMITS } from '#server/lib/server-limits.ts'
import { CONCURRENCY_LIMITS } from '#server/limits/concurrency-limits.ts'
import { Limiter } from '#server/limits/limiter.ts'
import { type NewShare, shareLifetimeSec } from '#wire/api/share.ts'
import { Fault } from '#wire/fault.ts'
import { isInside, joinPath, parsePath, ROOT, relativePath, type TreePath } from '#wire/paths.ts'
import { type DeletedShare, inOtherHome } from './other-home.ts'
import { objectOf } from './shared-objects.ts'

/** Random bytes of a share's hash, and of the token that replaces its password in links. */
const HASH_BYTES = 12
export const TOKEN_BYTES = 96
/** The latest expiry time (the end of the year 9999), so that clients with small integers can hold it. */
const LATEST_SEC = 253_402_300_799

/** Hashes a password; `app.ts` provides it. */
export type HashPassword = (password: string) => Promise<string>

export class Shares implements PathListener {
  readonly #rows: ShareRows
  readonly #users: UserRows
  readonly #hash: HashPassword
  readonly #hashing = new Limiter(CONCURRENCY_LIMITS.linkPasswords)

  constructor(rows: ShareRows, users: UserRows, hash: HashPassword) {
    this.#rows = rows
    this.#users = users
    this.#hash = hash
  }

  /** Stores what shares are of, for `SharedObjects`. */
  get objectRows(): Pick<ShareRows, 'setResolved' | 'setLost'> {
    return this.#rows
  }

  /** @throws Fault forbidden, notFound, badRequest (the duration), tooMany (the user has too many shares) */
  async create(scope: Scope, path: TreePath, options: NewShare): Promise<StoredShare> {
    requireAction(scope.actor, 'share')
    scope.requireVisible(path)
    const node = await scope.stat(path)
    const { kind, real } = node
    if (kind === 'danglingLink') throw linkTargetMissing()
    if (kind !== 'file' && kind !== 'folder')
      throw new Fault('notFound', 'Only a file or a folder can be shared.')
    const lifetimeSec = shareLifetimeSec(options.expires ?? '', options.unit ?? 'hours')
    if (lifetimeSec === undefined) {
      throw new Fault('badRequest', 'expires must be a whole number from 0 to 2147483647.')
    }
    await this.#rows.removeExpired(nowSec())
    await this.#refuseTooMany(scope.actor.id)
    const password = options.password ?? ''
    const share: StoredShare = {
      hash: randomId(HASH_BYTES),
      userId: scope.actor.id,
      path,
      realPath: real,
      target: objectOf(node),
      lostMs: 0,
      isFolder: kind === 'folder',
      expiresSec: lifetimeSec && Math.min(LATEST_SEC, nowSec() + lifetimeSec),
      passwordHash: password && (await this.#hashPassword(scope.actor.id, password)),
      token: password && randomId(TOKEN_BYTES),
      createdMs: Date.now(),
      visits: 0,
      message: options.message?.trim() ?? '',
      showsOwner: options.showOwner === true,
    }
    await this.#rows.atomically(async () => {
      await this.#refuseTooMany(scope.actor.id)
      await this.#rows.insert(share)
    })
    return share
  }

  /** @throws Fault tooMany */
  async #refuseTooMany(userId: number): Promise<void> {
    const { count, bytes } = await this.#rows.sizeOf(userId)
    if (count < SERVER_LIMITS.sharesMax && bytes < SERVER_LIMITS.sharePathsMaxBytes) return
    throw new Fault('tooMany', 'You have too many shares. Remove some.', { reason: 'sharesFull' })
  }

  /**
   * Limits hashing, so that creating shares does not block sign-ins.
   *
   * @throws Fault tooMany, unavailable
   */
  async #hashPassword(userId: number, password: string): Promise<string> {
    using _ = this.#hashing.acquire(userId)
    return await this.#hash(password)
  }

  /** @returns the user's live shares; for administrators those of all users */
  async list(scope: Scope): Promise<StoredShare[]> {
    requireAction(scope.actor, 'share')
    if (may(scope.actor, 'administer')) return this.listAll()
    await this.#rows.removeExpired(nowSec())
    return await this.#rows.listOf(scope.actor.id)
  }

  /** @returns the live shares of all users, for the operator */
  async listAll(): Promise<StoredShare[]> {
    await this.#rows.removeExpired(nowSec())
    return this.#rows.list()
  }

  /** @returns the shares of one path; for administrators those of all users for the same file */
  async listFor(scope: Scope, path: TreePath): Promise<StoredShare[]> {
    const fullPath = joinPath(scope.actor.scope, path)
    const found: StoredShare[] = []
    for (const share of await this.list(scope)) {
      const isOwn = share.userId === scope.actor.id
      const isOf = isOwn ? share.path === path : (await this.#fullPathOf(share)) === fullPath
      if (isOf) found.push(share)
    }
    return found
  }

  /** @throws Fault notFound, forbidden (another user's share) */
  async remove(scope: Scope, hash: string): Promise<void> {
    requireAction(scope.actor, 'share')
    const share = await this.#get(hash)
    if (!mayManage(scope.actor, share.userId)) {
      throw new Fault('forbidden', 'This share belongs to another user.')
    }
    await this.#rows.remove(hash)
  }

  /**
   * Stores imported shares under their own hashes. Must run in a transaction.
   *
   * @param options `overwrite`: an existing share with the same hash is replaced
   * @returns the problems
   */
  async importShares(
    shares: readonly StoredShare[],
    options: { overwrite: boolean },
  ): Promise<string[]> {
    const problems: string[] = []
    for (const share of shares) {
      const isTaken = (await this.#rows.find(share.hash)) !== undefined
      if (isTaken && !options.overwrite) {
        problems.push(`share ${share.hash}: this address is taken; --overwrite replaces the share.`)
        continue
      }
      if (isTaken) await this.#rows.remove(share.hash)
      await this.#rows.insert(share)
    }
    return problems
  }

  /** Counts a visit. A failure to store the count is ignored. */
  countVisit({ hash }: StoredShare): void {
    this.#rows.countVisit(hash).catch(() => undefined)
  }

  /**
   * Deletes any user's share, for the operator.
   *
   * @throws Fault notFound
   */
  async removeAsOperator(hash: string): Promise<void> {
    await this.#rows.remove((await this.#get(hash)).hash)
  }

  /** @returns a share that has not expired */
  async find(hash: string): Promise<StoredShare | undefined> {
    const share = await this.#rows.find(hash)
    return share && (share.expiresSec === 0 || share.expiresSec > nowSec()) ? share : undefined
  }

  /** Updates the shares of a renamed path, of all users. */
  async moved(from: TreePath, to: TreePath): Promise<void> {
    await this.#follow(from, to)
  }

  /** @param only the hashes of the shares to update; by default all */
  async #follow(from: TreePath, to: TreePath, only?: ReadonlySet<string>): Promise<void> {
    const next = (path: TreePath) =>
      isInside(path, from) ? joinPath(to, relativePath(path, from)) : path
    const moved: Pick<StoredShare, 'hash' | 'path' | 'realPath'>[] = []
    const lost: string[] = []
    for await (const { share, home, fullPaths } of this.#rowsBelow(from)) {
      if (only && !only.has(share.hash)) continue
      const [path, real] = fullPaths.map(next)
      // The share is of a symbolic link that stays in place while its target moves, so it has lost its target.
      const isLost = fullPaths[0] !== fullPaths[1] && path === fullPaths[0]
      if (!path || !real || isLost || ![path, real].every((path) => isInside(path, home))) {
        lost.push(share.hash)
      } else {
        const [newPath, newReal] = [relativePath(path, home), relativePath(real, home)]
        // A share that no one has opened still has no real path.
        moved.push({ hash: share.hash, path: newPath, realPath: share.realPath && newReal })
      }
    }
    await this.#rows.change(moved, lost)
  }

  /** Deletes the shares of a removed path, of all users. */
  async removed(path: TreePath): Promise<void> {
    const removedHashes = await Array.fromAsync(this.#rowsBelow(path), ({ share }) => share.hash)
    await this.#rows.change([], removedHashes)
  }

  /** @returns the shares that `removed` would delete, as text for `restored`; empty if there are none */
  async sharesBelow(path: TreePath): Promise<string> {
    const rows = this.#rowsBelow(path)
    const lost = await Array.fromAsync(
      rows,
      ({ share, home }): DeletedShare => ({ ...share, home }),
    )
    return lost.length === 0 ? '' : JSON.stringify(lost)
  }

  /**
   * Creates deleted shares again after their path was restored, unless they have expired.
   *
   * @param mayReopen whether the shares of this user are created again
   * @returns the number of shares that were created
   */
  async restored(
    lost: string,
    from: TreePath,
    to: TreePath,
    mayReopen: (userId: number) => boolean = () => true,
  ): Promise<number> {
    const shares = (JSON.parse(lost) as DeletedShare[]).filter(({ userId }) => mayReopen(userId))
    let created = 0
    await this.#rows.atomically(async () => {
      created = 0
      for (const [userId, lost] of Map.groupBy(shares, (share) => share.userId)) {
        const owner = await this.#users.find(userId)
        // The limit may have been reached since the first check.
        const freeCount = SERVER_LIMITS.sharesMax - (await this.#rows.sizeOf(userId)).count
        if (!owner) continue
        for (const share of lost.slice(0, freeCount))
          if (await this.#insertAgain(share, owner)) created++
      }
    })
    if (from !== to) await this.#follow(from, to, new Set(shares.map(({ hash }) => hash)))
    return created
  }

  /** @returns whether the share was created */
  async #insertAgain({ home, ...share }: DeletedShare, owner: StoredUser): Promise<boolean> {
    const isExpired = share.expiresSec !== 0 && share.expiresSec <= nowSec()
    if (isExpired || (await this.#rows.find(share.hash))) return false
    // The owner's home folder may have changed, so that the same path is another file.
    const relocated = inOtherHome(share, home, parsePath(owner.scope))
    // What is restored may be a copy of what was shared.
    if (relocated) await this.#rows.insert({ ...share, ...relocated, target: '' })
    return relocated !== undefined
  }

  /** Updates the shares of a user whose home folder changed. Shares of files outside it are deleted. */
  async homeChanged(userId: number, from: TreePath, to: TreePath): Promise<void> {
    const moved: Pick<StoredShare, 'hash' | 'path' | 'realPath'>[] = []
    const lost: string[] = []
    for (const share of await this.#rows.listOf(userId)) {
      const relocated = inOtherHome(share, from, to)
      if (relocated) moved.push({ hash: share.hash, ...relocated })
      else lost.push(share.hash)
    }
    await this.#rows.change(moved, lost)
  }

  async #get(hash: string): Promise<StoredShare> {
    const share = await this.find(hash)
    if (share) return share
    throw new Fault('notFound', `There is no share ${hash}.`)
  }

  /**
   * Yields the shares of a path of the served tree, or below it, with both paths: that of the share, and the real one
   * at its creation.
   */
  async *#rowsBelow(
    path: TreePath,
  ): AsyncGenerator<{ share: StoredShare; home: TreePath; fullPaths: [TreePath, TreePath] }> {
    for (const userId of await this.#rows.owners()) {
      const owner = await this.#users.find(userId)
      if (!owner) continue
      const home = parsePath(owner.scope)
      const below = isInside(home, path) ? ROOT : isInside(path, home) && relativePath(path, home)
      if (!below) continue
      for (const share of await this.#rows.listBelow(userId, below)) {
        const real = share.realPath ?? share.path
        yield { share, home, fullPaths: [joinPath(home, share.path), joinPath(home, real)] }
      }
    }
  }

  /** @returns the path of a share in the served tree; undefined if the owner no longer exists */
  async #fullPathOf(share: StoredShare): Promise<TreePath | undefined> {
    const owner = await this.#users.find(share.userId)
    return owner && joinPath(parsePath(owner.scope), share.path)
  }
}

function nowSec(): number {
  return Math.floor(Date.now() / 1000)
}
