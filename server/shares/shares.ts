/** Public links: made, listed, removed; they follow what they point to, and go with it. */

import { ConcurrencyLimit } from '#server/access/concurrency-limit.ts'
import { CONCURRENCY_LIMITS } from '#server/access/concurrency-limits.ts'
import type { PathListener } from '#server/access/file-events.ts'
import { may, mayManage, must } from '#server/access/policy.ts'
import type { Scope } from '#server/access/scope.ts'
import { randomName } from '#server/db/row-name.ts'
import type { ShareRows, StoredShare } from '#server/db/shares.ts'
import type { StoredUser, UserRows } from '#server/db/users.ts'
import type { Node } from '#server/storage/node.ts'
import { Fault } from '#wire/fault.ts'
import { LIMITS } from '#wire/limits.ts'
import { isInside, joinPath, parsePath, ROOT, relativePath, type TreePath } from '#wire/paths.ts'
import { type NewShare, shareLifetimeSec } from '#wire/share.ts'

const HASH_BYTES = 12
export const TOKEN_BYTES = 96
/** Any later moment is as good as for ever, and safe for every client's integers. */
const LATEST_SEC = 253_402_300_799

/** How a password becomes a hash; `app.ts` hands it in. */
export type HashPassword = (password: string) => Promise<string>

export class Shares implements PathListener {
  readonly #rows: ShareRows
  readonly #users: UserRows
  readonly #hash: HashPassword
  readonly #hashing = new ConcurrencyLimit(CONCURRENCY_LIMITS.linkPasswords)

  constructor(rows: ShareRows, users: UserRows, hash: HashPassword) {
    this.#rows = rows
    this.#users = users
    this.#hash = hash
  }

  /** @throws Fault forbidden, notFound, badRequest (the duration), tooMany */
  async create(scope: Scope, path: TreePath, options: NewShare): Promise<StoredShare> {
    must(scope.actor, 'share')
    const { kind, real, identity } = await scope.stat(path)
    if (kind !== 'file' && kind !== 'folder')
      throw new Fault('notFound', 'There is nothing to share.')
    const lifetimeSec = shareLifetimeSec(options.expires ?? '', options.unit ?? 'hours')
    if (lifetimeSec === undefined) {
      throw new Fault('badRequest', 'expires must be a whole number from 0 to 2147483647')
    }
    this.#rows.removeExpired(nowSec())
    this.#refuseTooMany(scope.actor.id)
    const password = options.password?.trim() ?? ''
    const share: StoredShare = {
      hash: randomName(HASH_BYTES),
      userId: scope.actor.id,
      path,
      realPath: real,
      target: targetOf(path, { kind, real, identity }),
      isFolder: kind === 'folder',
      expiresSec: lifetimeSec && Math.min(LATEST_SEC, nowSec() + lifetimeSec),
      passwordHash: password && (await this.#hashStored(scope.actor.id, password)),
      token: password && randomName(TOKEN_BYTES),
      createdMs: Date.now(),
      visits: 0,
    }
    this.#rows.insert(share)
    return share
  }

  /** @throws Fault tooMany */
  #refuseTooMany(userId: number): void {
    const { count, bytes } = this.#rows.sizeOf(userId)
    if (count < LIMITS.sharesMax && bytes < LIMITS.sharePathsMaxBytes) return
    throw new Fault('tooMany', 'You have the maximum number of shares. Remove some first.')
  }

  /** So that nobody's links keep others from signing in. @throws Fault tooMany, unavailable */
  async #hashStored(userId: number, password: string): Promise<string> {
    using _ = this.#hashing.acquire(userId)
    return await this.#hash(password)
  }

  /** Live links: everybody's for administrators, one's own for others. */
  list(scope: Scope): StoredShare[] {
    must(scope.actor, 'share')
    if (may(scope.actor, 'administer')) return this.listAll()
    this.#rows.removeExpired(nowSec())
    return this.#rows.listOf(scope.actor.id)
  }

  /** Everybody's live links, for the operator. */
  listAll(): StoredShare[] {
    this.#rows.removeExpired(nowSec())
    return this.#rows.list()
  }

  /** Links to one thing: one's own; for administrators those of everybody that lead to the same place. */
  listFor(scope: Scope, path: TreePath): StoredShare[] {
    const at = joinPath(scope.actor.scope, path)
    return this.list(scope).filter((share) =>
      share.userId === scope.actor.id ? share.path === path : this.#rowOf(share) === at,
    )
  }

  /** @throws Fault notFound, forbidden (somebody else's) */
  remove(scope: Scope, hash: string): void {
    must(scope.actor, 'share')
    const share = this.#get(hash)
    if (!mayManage(scope.actor, share.userId)) {
      throw new Fault('forbidden', 'This share belongs to another user.')
    }
    this.#rows.remove(hash)
  }

  /** Stores what a share that was made elsewhere leads to, and whether that is a folder. */
  setReal(share: StoredShare, node: Pick<Node, 'kind' | 'real' | 'identity'>): StoredShare {
    const isFolder = node.kind === 'folder'
    const [realPath, target] = [node.real, targetOf(share.path, node)]
    this.#rows.setReal(share.hash, { realPath, target, isFolder })
    return { ...share, realPath, target, isFolder }
  }

  /**
   * Stores shares of another installation under their own addresses. To be called in a transaction.
   *
   * @param options `overwrite`: a share that is here under the same address is replaced
   * @returns what stands against it
   */
  takeOver(shares: readonly StoredShare[], options: { overwrite: boolean }): string[] {
    const problems: string[] = []
    for (const share of shares) {
      const isThere = this.#rows.find(share.hash) !== undefined
      if (isThere && !options.overwrite) {
        problems.push(`share ${share.hash}: this address is taken; --overwrite replaces the share.`)
        continue
      }
      if (isThere) this.#rows.remove(share.hash)
      this.#rows.insert(share)
    }
    return problems
  }

  /** A stranger has opened it. The number is worth no failure of the visit. */
  countVisit({ hash }: StoredShare): void {
    this.#rows.countVisit(hash).catch(() => undefined)
  }

  /** Removes anybody's link, for the operator. @throws Fault notFound */
  removeAny(hash: string): void {
    this.#rows.remove(this.#get(hash).hash)
  }

  /** A live link; one whose time is over is none. */
  find(hash: string): StoredShare | undefined {
    const share = this.#rows.find(hash)
    return share && (share.expiresSec === 0 || share.expiresSec > nowSec()) ? share : undefined
  }

  /** What was shared has another name: its links go along, whoever made them. */
  moved(from: TreePath, to: TreePath): void {
    this.#follow(from, to)
  }

  /** @param only of these links; without them of all */
  #follow(from: TreePath, to: TreePath, only?: ReadonlySet<string>): void {
    const next = (at: TreePath) => (isInside(at, from) ? joinPath(to, relativePath(at, from)) : at)
    const moved: Pick<StoredShare, 'hash' | 'path' | 'realPath'>[] = []
    const lost: string[] = []
    for (const { share, home, found } of this.#rowsBelow(from)) {
      if (only && !only.has(share.hash)) continue
      const [path, real] = found.map(next)
      // Behind a link of the disk that stays where it is, nothing is left.
      const isLost = found[0] !== found[1] && path === found[0]
      if (!path || !real || isLost || ![path, real].every((at) => isInside(at, home))) {
        lost.push(share.hash)
      } else {
        const [own, ownReal] = [relativePath(path, home), relativePath(real, home)]
        moved.push({ hash: share.hash, path: own, realPath: ownReal })
      }
    }
    this.#rows.change(moved, lost)
  }

  /** What was shared is gone, and its links with it, whoever made them. */
  removed(path: TreePath): void {
    const gone = [...this.#rowsBelow(path)].map(({ share }) => share.hash)
    this.#rows.change([], gone)
  }

  /** The links that `removed` would remove, for `cameBack`; empty for none. */
  lostWith(path: TreePath): string {
    const lost: LostShare[] = [...this.#rowsBelow(path)].map(({ share, home }) => ({
      ...share,
      home,
    }))
    return lost.length === 0 ? '' : JSON.stringify(lost)
  }

  /** What was shared is back, at its place or at another one: its links are, too, if their time is not over. */
  cameBack(lost: string, from: TreePath, to: TreePath): void {
    const shares: LostShare[] = JSON.parse(lost)
    this.#rows.together(() => {
      for (const [userId, lost] of Map.groupBy(shares, (share) => share.userId)) {
        const owner = this.#users.find(userId)
        // Others may have taken their place among so many.
        const room = LIMITS.sharesMax - this.#rows.sizeOf(userId).count
        if (owner) for (const share of lost.slice(0, room)) this.#insertAgain(share, owner)
      }
    })
    if (from !== to) this.#follow(from, to, new Set(shares.map(({ hash }) => hash)))
  }

  #insertAgain({ home, ...share }: LostShare, owner: StoredUser): void {
    const isOver = share.expiresSec !== 0 && share.expiresSec <= nowSec()
    if (isOver || this.#rows.find(share.hash)) return
    // Meanwhile their folder may have become another one, in which the same path is something else.
    const own = inOtherHome(share, home, parsePath(owner.scope))
    if (own) this.#rows.insert({ ...share, ...own })
  }

  /**
   * Somebody's folder is another one: their links go on leading to what they led to. Those to what is
   * outside of it now are removed.
   */
  homeChanged(userId: number, from: TreePath, to: TreePath): void {
    const moved: Pick<StoredShare, 'hash' | 'path' | 'realPath'>[] = []
    const lost: string[] = []
    for (const share of this.#rows.listOf(userId)) {
      const own = inOtherHome(share, from, to)
      if (own) moved.push({ hash: share.hash, ...own })
      else lost.push(share.hash)
    }
    this.#rows.change(moved, lost)
  }

  #get(hash: string): StoredShare {
    const share = this.find(hash)
    if (share) return share
    throw new Fault('notFound', `There is no link ${hash}.`)
  }

  /**
   * The links that lead to a place of the served tree, or below it, by the path they name or by where that
   * led when they were made; both, in this order, are their places.
   */
  *#rowsBelow(
    at: TreePath,
  ): Generator<{ share: StoredShare; home: TreePath; found: [TreePath, TreePath] }> {
    for (const userId of this.#rows.owners()) {
      const owner = this.#users.find(userId)
      if (!owner) continue
      const home = parsePath(owner.scope)
      const below = isInside(home, at) ? ROOT : isInside(at, home) && relativePath(at, home)
      if (!below) continue
      for (const share of this.#rows.listBelow(userId, below)) {
        const real = share.realPath ?? share.path
        yield { share, home, found: [joinPath(home, share.path), joinPath(home, real)] }
      }
    }
  }

  /** Where a link leads in the served tree. */
  #rowOf(share: StoredShare): TreePath | undefined {
    const owner = this.#users.find(share.userId)
    return owner && joinPath(parsePath(owner.scope), share.path)
  }
}

/** What a link to a folder behind a link of the disk is bound to, beside its path. */
function targetOf(
  path: TreePath,
  { kind, real, identity }: Pick<Node, 'kind' | 'real' | 'identity'>,
): string {
  return kind === 'folder' && real !== path ? identity : ''
}

function nowSec(): number {
  return Math.floor(Date.now() / 1000)
}

/** A link as the trash remembers it: its paths lie in the folder that its owner had then. */
interface LostShare extends StoredShare {
  home: TreePath
}

/** The same places in another folder of their owner; undefined for what is outside of it. */
function inOtherHome(
  { path, realPath }: StoredShare,
  from: TreePath,
  to: TreePath,
): Pick<StoredShare, 'path' | 'realPath'> | undefined {
  const [at, real] = [joinPath(from, path), realPath && joinPath(from, realPath)]
  if (!isInside(at, to) || (real && !isInside(real, to))) return undefined
  return { path: relativePath(at, to), realPath: real && relativePath(real, to) }
}
