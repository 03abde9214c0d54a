/**
 * Requests with an app password. It is accepted without a session and makes none. What it allows is a part of what its
 * user may do, in one folder: the rights of both apply, at the time of the request.
 */
import { folderIdentity } from '#server/access/folder-identity.ts'
import type { Origin } from '#server/access/recorder.ts'
import type { Scope } from '#server/access/scope/scope.ts'
import type { Scopes } from '#server/access/scope/scopes.ts'
import type { StoredAppPassword } from '#server/db/rows/app-passwords.ts'
import type { StoredUser } from '#server/db/rows/users.ts'
import { Fault, isFault } from '#wire/fault.ts'
import { ROOT, type TreePath } from '#wire/paths.ts'
import type { AuthContext, SessionClient, SignedInUser } from '../credentials/sessions.ts'
import type { Throttle } from '../credentials/throttle.ts'
import {
  AppPasswordCache,
  type AppPasswordCacheDeps,
  type KnownAppPassword,
} from './app-password-cache.ts'
import { digestOfSecret, readSecret } from './secret.ts'
import { sessionNameOf } from './session-name.ts'

/** The last use is not written for every request. */
const TOUCH_EVERY_MS = 60_000
const AGENT_MAX = 256

interface Deps extends AppPasswordCacheDeps {
  scopes: Scopes
  throttle: Throttle
}

/** What a client has sent. */
export interface PresentedSecret {
  text: string
  /** The user name beside it; undefined if there was none. */
  username: string | undefined
}

export class AppPasswordAccess {
  readonly #deps: Deps
  readonly #cache: AppPasswordCache

  constructor(deps: Deps) {
    this.#deps = deps
    this.#cache = new AppPasswordCache(deps)
  }

  /**
   * @returns who sends a request with an app password
   * @throws Fault unauthenticated (it is unknown, paused or has ended), tooMany (many unknown ones from this address)
   */
  async authenticate(
    { text, username }: PresentedSecret,
    client: SessionClient,
  ): Promise<AuthContext & { appPassword: StoredAppPassword }> {
    const secret = readSecret(text)
    if (secret === undefined) throw mistyped()
    const known = await this.#cache.find({ secretHash: digestOfSecret(secret) })
    const isOfUser = !username || username === known?.user.username
    if (!known || !isOfUser) return this.#refuse(client.address, username)
    const { stored, limited } = known
    const nowMs = Date.now()
    if (nowMs - stored.usedMs > TOUCH_EVERY_MS) await this.#touch(stored, nowMs, client)
    const session = {
      id: sessionNameOf(stored.id),
      userId: stored.userId,
      createdMs: stored.createdMs,
      seenMs: nowMs,
      expiresMs: stored.expiresMs,
      address: client.address,
      agent: client.agent,
      hasOwnCookie: false,
      verifiedMs: 0,
    }
    return { user: limited, session, shouldRenew: false, appPassword: stored }
  }

  /**
   * The scope of an app password: its folder, as the root.
   *
   * @param client as in `Origin`
   * @throws Fault forbidden (its folder was moved, deleted or replaced, or its user may not see it any more)
   */
  async scopeOf(
    { id, folder, target }: StoredAppPassword,
    client: Origin['client'],
  ): Promise<Scope> {
    const { user } = await this.#present(id)
    const origin = { session: sessionNameOf(id), client }
    const present = async () => (await this.#present(id)).user
    if (folder === ROOT) return this.#deps.scopes.of(user, present, origin)
    if (!(await this.#isThere(user, folder, target))) throw folderLost()
    return this.#deps.scopes.below(user, folder, { present, origin })
  }

  /** Whether the folder of an app password is not there any more, or another one. */
  async isLost({ userId, folder, target }: StoredAppPassword): Promise<boolean> {
    const user = await this.#deps.users.find(userId)
    return !user || !(folder === ROOT || (await this.#isThere(user, folder, target)))
  }

  /**
   * Repeats the check of an app password during a request.
   *
   * @returns its user, with its ceiling and its folder
   * @throws Fault unauthenticated
   */
  async presentUser(id: number): Promise<SignedInUser> {
    return (await this.#present(id)).limited
  }

  /**
   * @returns as `targetOf`, for a folder of a user
   * @throws as `targetOf`
   */
  targetFor(user: StoredUser, folder: TreePath): Promise<string> {
    return targetOf(this.#deps.scopes.of(user), folder)
  }

  async #isThere(user: StoredUser, folder: TreePath, target: string): Promise<boolean> {
    try {
      return (await this.targetFor(user, folder)) === target
    } catch (error) {
      if (isFault(error) && error.code !== 'unavailable') return false
      throw error
    }
  }

  /** @throws Fault unauthenticated */
  async #present(id: number): Promise<KnownAppPassword> {
    const known = await this.#cache.find({ id })
    if (known) return known
    throw new Fault('unauthenticated', 'The app password ended during the request.')
  }

  /** An app password cannot be guessed. The pause is for programs that try an old one again and again, and blocks no valid one. */
  async #refuse(address: string, username: string | undefined): Promise<never> {
    const failureKinds = async () => ['address'] as const
    const attempt = {
      account: 'app passwords',
      address,
      group: 'appPasswords',
      failureKinds,
    } as const
    await this.#deps.throttle.attempt(attempt, async () => false)
    throw new Fault(
      'unauthenticated',
      username
        ? 'The user name or the app password is wrong, or the app password has ended or is paused.'
        : 'This app password is not valid, has ended or is paused.',
    )
  }

  /** A write error, such as a full disk, must not prevent reading or freeing space. */
  async #touch(
    { id }: StoredAppPassword,
    nowMs: number,
    { address, agent }: SessionClient,
  ): Promise<void> {
    try {
      await this.#deps.rows.touch(id, nowMs, { address, agent: agent.slice(0, AGENT_MAX) })
    } catch {
      // Tried again at the next request.
    }
  }
}

/**
 * @param scope of the user
 * @returns the identity of a folder that an app password is limited to; empty for the root
 * @throws Fault notFound, forbidden, notDirectory, badRequest (a link leads to it)
 */
export async function targetOf(scope: Scope, folder: TreePath): Promise<string> {
  if (folder === ROOT) return ''
  scope.requireVisible(folder)
  const node = await scope.stat(folder)
  if (node.kind !== 'folder') throw new Fault('notDirectory', 'This is not a folder.')
  if (node.real !== folder) {
    throw new Fault('badRequest', 'A link leads to this folder. Choose the folder itself.', {
      field: 'folder',
    })
  }
  return folderIdentity(node)
}

function mistyped(): Fault {
  return new Fault(
    'unauthenticated',
    'The app password has a typing mistake. Compare it letter by letter: it is fm_ and 25 letters and digits.',
  )
}

function folderLost(): Fault {
  return new Fault(
    'forbidden',
    'The folder of this app password was moved, deleted or replaced. Make another app password.',
  )
}
