/** Opens public shares, with all checks repeated at each request. */
import { timingSafeEqual } from 'node:crypto'
import type { Scope } from '#server/access/scope.ts'
import type { Scopes } from '#server/access/scopes.ts'
import type { StoredShare } from '#server/db/shares.ts'
import type { StoredUser, UserRows } from '#server/db/users.ts'
import type { Node } from '#server/storage/node.ts'
import { Fault } from '#wire/fault.ts'
import { childPath, nameOf, parentPath, ROOT, type TreePath } from '#wire/paths.ts'
import { permits } from '#wire/permissions.ts'
import type { Shares } from './shares.ts'

export interface VisitorCredentials {
  /** From the header, decoded; undefined if there was none or it could not be decoded. */
  password: string | undefined
  token: string | undefined
  /** The visitor's address. */
  address: string
}

export interface OpenShare {
  share: StoredShare
  /** The visitor's scope: the shared folder, or the folder of the shared file. */
  scope: Scope
  /** The requested path in that scope. */
  path: TreePath
}

/** Compares a password with a share's hash and throttles guessing; `app.ts` provides it. */
export type ThrottledCompare = (
  share: StoredShare,
  password: string,
  address: string,
) => Promise<boolean>

export class OpenShares {
  readonly #shares: Shares
  readonly #users: UserRows
  readonly #scopes: Scopes
  readonly #comparePassword: ThrottledCompare

  constructor(shares: Shares, users: UserRows, scopes: Scopes, comparePassword: ThrottledCompare) {
    this.#shares = shares
    this.#users = users
    this.#scopes = scopes
    this.#comparePassword = comparePassword
  }

  /**
   * @param path the path after the hash; that of a shared file has no meaning
   * @throws Fault notFound (no such share, expired, owner deleted), unauthenticated (password), tooMany
   *   (guessing), forbidden (the owner may no longer share, rules)
   */
  async open(hash: string, path: TreePath, credentials: VisitorCredentials): Promise<OpenShare> {
    const { share: stored, owner } = this.#find(hash)
    let share = stored
    await this.#requireCredentials(share, credentials)
    requireMayShare(owner)
    // Checked as the owner first: rules, hidden files and outside links apply to the whole path.
    const ownerScope = this.#scopes.of(owner)
    ownerScope.requireVisible(share.path)
    const node = await ownerScope.stat(share.path)
    if (share.realPath === undefined) share = this.#shares.setResolved(share, node)
    else if (!isSharedObject(share, node)) throw new Fault('notFound', 'There is no such share.')
    const name = nameOf(share.path)
    const present = () => requireMayShare(this.#find(hash).owner)
    if (share.isFolder) {
      const scope = this.#scopes.shared(owner, share.path, node.real, present)
      return { share, scope, path }
    }
    // The URL of a shared file may end with any path (docs/decisions.md 29).
    // The file may be a symbolic link; then its folder is that of its path.
    const real = nameOf(node.real) === name ? parentPath(node.real) : undefined
    const scope = this.#scopes.shared(owner, parentPath(share.path), real, present)
    return { share, scope, path: childPath(ROOT, name) }
  }

  /** @throws Fault notFound */
  #find(hash: string): { share: StoredShare; owner: StoredUser } {
    const share = this.#shares.find(hash)
    const owner = share && this.#users.find(share.userId)
    if (share && owner) return { share, owner }
    throw new Fault('notFound', 'There is no such share.')
  }

  /** @throws Fault unauthenticated, tooMany */
  async #requireCredentials(
    share: StoredShare,
    { password, token, address }: VisitorCredentials,
  ): Promise<void> {
    if (share.passwordHash === '') return
    if (token && isSame(token, share.token)) return
    if (password && (await this.#comparePassword(share, password, address))) return
    throw new Fault('unauthenticated', 'This share needs a password.')
  }
}

/** @throws Fault forbidden */
function requireMayShare(owner: StoredUser): StoredUser {
  if (permits(owner.perm, 'share')) return owner
  throw new Fault('forbidden', 'This share is not available: its owner may not share any more.')
}

/** Whether the object at the path of a share is still the shared one; a symbolic link may have replaced it. */
function isSharedObject(share: StoredShare, node: Node): boolean {
  if ((node.kind === 'folder') !== share.isFolder) return false
  return node.real === share.realPath && (share.target === '' || node.identity === share.target)
}

function isSame(actual: string, expected: string): boolean {
  const [a, b] = [Buffer.from(actual), Buffer.from(expected)]
  return a.length === b.length && timingSafeEqual(a, b)
}
