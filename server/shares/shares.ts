/** Public links: made, listed, removed; they follow what they point to, and go with it. */
import { must } from '#server/access/policy.ts'
import type { Scope, Witness } from '#server/access/scope.ts'
import { randomName } from '#server/db/row-name.ts'
import type { ShareRows, StoredShare } from '#server/db/shares.ts'
import type { UserRows } from '#server/db/users.ts'
import { Fault } from '#wire/fault.ts'
import { isInside, joinPath, parsePath, relativePath, type TreePath } from '#wire/paths.ts'
import { type NewShare, shareLifetimeSec } from '#wire/share.ts'

const HASH_BYTES = 12
const TOKEN_BYTES = 96
/** Any later moment is as good as for ever, and safe for every client's integers. */
const LATEST_SEC = 253_402_300_799

/** How a password becomes a hash; `app.ts` hands it in. */
export type HashPassword = (password: string) => Promise<string>

export class Shares implements Witness {
  readonly #rows: ShareRows
  readonly #users: UserRows
  readonly #hash: HashPassword

  constructor(rows: ShareRows, users: UserRows, hash: HashPassword) {
    this.#rows = rows
    this.#users = users
    this.#hash = hash
  }

  /** @throws Fault forbidden, notFound, badRequest (the duration) */
  async create(scope: Scope, path: TreePath, wish: NewShare): Promise<StoredShare> {
    must(scope.actor, 'share')
    const { kind } = await scope.stat(path)
    if (kind !== 'file' && kind !== 'folder')
      throw new Fault('notFound', 'There is nothing to share.')
    const lifetimeSec = shareLifetimeSec(wish.expires ?? '', wish.unit ?? 'hours')
    if (lifetimeSec === undefined) {
      throw new Fault('badRequest', 'expires must be a whole number from 0 to 2147483647')
    }
    const password = wish.password?.trim() ?? ''
    const share: StoredShare = {
      hash: randomName(HASH_BYTES),
      userId: scope.actor.id,
      path,
      isFolder: kind === 'folder',
      expiresSec: lifetimeSec && Math.min(LATEST_SEC, nowSec() + lifetimeSec),
      passwordHash: password && (await this.#hash(password)),
      token: password && randomName(TOKEN_BYTES),
      createdMs: Date.now(),
    }
    this.#rows.insert(share)
    return share
  }

  /** Live links: everybody's for administrators, one's own for others. */
  list(scope: Scope): StoredShare[] {
    must(scope.actor, 'share')
    const { id, perm } = scope.actor
    return this.listAll().filter((share) => perm.admin || share.userId === id)
  }

  /** Everybody's live links, for the operator. */
  listAll(): StoredShare[] {
    this.#rows.removeExpired(nowSec())
    return this.#rows.list()
  }

  /** Links to one thing: one's own; for administrators those of everybody that lead to the same place. */
  listFor(scope: Scope, path: TreePath): StoredShare[] {
    const place = joinPath(scope.actor.scope, path)
    return this.list(scope).filter((share) =>
      share.userId === scope.actor.id ? share.path === path : this.#placeOf(share) === place,
    )
  }

  /** @throws Fault notFound, forbidden (somebody else's) */
  remove(scope: Scope, hash: string): void {
    must(scope.actor, 'share')
    const share = this.#get(hash)
    if (share.userId !== scope.actor.id && !scope.actor.perm.admin) {
      throw new Fault('forbidden', 'This link is somebody else’s.')
    }
    this.#rows.remove(hash)
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
    for (const share of this.#rows.list()) {
      const place = this.#placeOf(share)
      if (!place || !isInside(place, from)) continue
      const next = joinPath(to, relativePath(place, from))
      const home = parsePath(this.#users.find(share.userId)?.scope ?? '')
      if (isInside(next, home)) this.#rows.setPath(share.hash, relativePath(next, home))
      else this.#rows.remove(share.hash)
    }
  }

  /** What was shared is gone, and its links with it, whoever made them. */
  removed(path: TreePath): void {
    for (const share of this.#rows.list()) {
      const place = this.#placeOf(share)
      if (place && isInside(place, path)) this.#rows.remove(share.hash)
    }
  }

  #get(hash: string): StoredShare {
    const share = this.find(hash)
    if (share) return share
    throw new Fault('notFound', `There is no link ${hash}.`)
  }

  /** Where a link leads in the served tree. */
  #placeOf(share: StoredShare): TreePath | undefined {
    const owner = this.#users.find(share.userId)
    return owner && joinPath(parsePath(owner.scope), share.path)
  }
}

function nowSec(): number {
  return Math.floor(Date.now() / 1000)
}
