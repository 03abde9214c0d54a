/** Opens public shares, with all checks repeated at each request. */
import { timingSafeEqual } from 'node:crypto'
import type { Scope } from '#server/access/scope/scope.ts'
import type { Scopes } from '#server/access/scope/scopes.ts'
import type { StoredShare } from '#server/db/rows/shares.ts'
import type { StoredUser, UserRows } from '#server/db/rows/users.ts'
import { Fault } from '#wire/fault.ts'
import { childPath, nameOf, parentPath, ROOT, type TreePath } from '#wire/paths.ts'
import { permits } from '#wire/permissions.ts'
import { SharedObjects } from './shared-objects.ts'
import type { Shares } from './shares.ts'

export interface VisitorCredentials {
  /** From the header, decoded; undefined if there was none or it could not be decoded. */
  password: string | undefined
  token: string | undefined
  /** The visitor's address. */
  address: string
}

export interface OpenedShare {
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

export class ShareOpener {
  readonly #shares: Shares
  readonly #users: UserRows
  readonly #scopes: Scopes
  readonly #comparePassword: ThrottledCompare
  /** What is at the paths of shares. */
  readonly objects: SharedObjects

  constructor(shares: Shares, users: UserRows, scopes: Scopes, comparePassword: ThrottledCompare) {
    this.#shares = shares
    this.#users = users
    this.#scopes = scopes
    this.#comparePassword = comparePassword
    this.objects = new SharedObjects({ rows: shares.objectRows, users, scopes })
  }

  /**
   * @param path the path after the hash; that of a shared file has no meaning
   * @throws Fault notFound (no such share, expired, owner deleted), unauthenticated (password), tooMany
   *   (guessing), forbidden (the owner may no longer share, rules)
   */
  async open(hash: string, path: TreePath, credentials: VisitorCredentials): Promise<OpenedShare> {
    const { share: stored, owner } = await this.#find(hash)
    await this.#requireCredentials(stored, credentials)
    requireMayShare(owner)
    // Checked as the owner first: rules, hidden files and outside links apply to the whole path.
    const ownerScope = this.#scopes.of(owner)
    ownerScope.requireVisible(stored.path)
    const { share, node } = await this.objects.find(stored, ownerScope)
    const name = nameOf(share.path)
    const current = async () => requireMayShare((await this.#find(hash)).owner)
    if (share.isFolder) {
      const scope = this.#scopes.shared(owner, share.path, node.real, current)
      return { share, scope, path }
    }
    // The URL of a shared file may end with any path (docs/decisions.md 29).
    // The file may be a symbolic link; then its folder is that of its path.
    const real = nameOf(node.real) === name ? parentPath(node.real) : undefined
    const scope = this.#scopes.shared(owner, parentPath(share.path), real, current)
    return { share, scope, path: childPath(ROOT, name) }
  }

  /**
   * Makes a share that has lost its file or folder one of what has the name now.
   *
   * @param scope of the user who asks
   * @throws Fault notFound, forbidden
   */
  async adopt(scope: Scope, hash: string): Promise<void> {
    await this.objects.adopt(scope, (await this.#find(hash)).share)
  }

  /** @throws Fault notFound */
  async #find(hash: string): Promise<{ share: StoredShare; owner: StoredUser }> {
    const share = await this.#shares.find(hash)
    const owner = share && (await this.#users.find(share.userId))
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
    if (!password) throw new Fault('unauthenticated', 'This share needs a password.')
    throw new Fault('unauthenticated', 'The password of this share is wrong.', {
      reason: 'sharePasswordWrong',
    })
  }
}

/** @throws Fault forbidden */
function requireMayShare(owner: StoredUser): StoredUser {
  if (permits(owner.perm, 'share')) return owner
  throw new Fault('forbidden', 'This share is not available: its owner may not share any more.')
}

function isSame(actual: string, expected: string): boolean {
  const [a, b] = [Buffer.from(actual), Buffer.from(expected)]
  return a.length === b.length && timingSafeEqual(a, b)
}
