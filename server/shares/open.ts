/** Opening a public link: what a visitor may see, decided anew at every request. */
import { timingSafeEqual } from 'node:crypto'
import type { Scope } from '#server/access/scope.ts'
import type { Scopes } from '#server/access/scopes.ts'
import type { StoredShare } from '#server/db/shares.ts'
import type { UserRows } from '#server/db/users.ts'
import { Fault } from '#wire/fault.ts'
import { nameOf, parentPath, type TreePath } from '#wire/paths.ts'
import { permits } from '#wire/permissions.ts'
import type { Shares } from './shares.ts'

export interface Proof {
  /** From the header, decoded; undefined when none came, or one that does not decode. */
  password: string | undefined
  token: string | undefined
}

export interface OpenShare {
  share: StoredShare
  /** The visitor's scope: the shared folder, or the folder of the shared file. */
  scope: Scope
  /** What the visitor asked for, in that scope. */
  path: TreePath
}

/** Compares a password with a hash; `app.ts` hands it in. */
export type VerifyPassword = (password: string, hash: string) => Promise<boolean>

export class OpenShares {
  readonly #shares: Shares
  readonly #users: UserRows
  readonly #scopes: Scopes
  readonly #verify: VerifyPassword

  constructor(shares: Shares, users: UserRows, scopes: Scopes, verify: VerifyPassword) {
    this.#shares = shares
    this.#users = users
    this.#scopes = scopes
    this.#verify = verify
  }

  /**
   * @param asked the path after the hash
   * @throws Fault notFound (no such link, its time or its owner is gone, no such file),
   *   unauthenticated (password), forbidden (the owner may share no more, rules)
   */
  async open(hash: string, asked: TreePath, proof: Proof): Promise<OpenShare> {
    const share = this.#shares.find(hash)
    const owner = share && this.#users.find(share.userId)
    if (!share || !owner) throw new Fault('notFound', 'There is no such link.')
    await this.#mustProve(share, proof)
    if (!permits(owner.perm, 'share')) throw new Fault('forbidden', 'This link is closed.')
    // The owner's own eyes first: rules, hidden files and links that lead away hold for the whole path.
    const { kind } = await this.#scopes.of(owner).stat(share.path)
    if ((kind === 'folder') !== share.isFolder)
      throw new Fault('notFound', 'There is no such link.')
    if (share.isFolder) return { share, scope: this.#scopes.shared(owner, share.path), path: asked }
    const name = nameOf(share.path)
    if (asked !== '/' && asked !== `/${name}`) throw new Fault('notFound', 'There is no such file.')
    const scope = this.#scopes.shared(owner, parentPath(share.path))
    return { share, scope, path: `/${name}` as TreePath }
  }

  /** @throws Fault unauthenticated */
  async #mustProve({ passwordHash, token }: StoredShare, proof: Proof): Promise<void> {
    if (passwordHash === '') return
    if (proof.token && isSame(proof.token, token)) return
    if (proof.password && (await this.#verify(proof.password, passwordHash))) return
    throw new Fault('unauthenticated', 'This link asks for a password.')
  }
}

function isSame(given: string, wanted: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(wanted)]
  return a.length === b.length && timingSafeEqual(a, b)
}
