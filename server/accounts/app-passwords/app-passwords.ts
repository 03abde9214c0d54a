/** App passwords: created, listed, paused and removed. */
import type { AppPasswordRows, StoredAppPassword } from '#server/db/rows/app-passwords.ts'
import { SERVER_LIMITS } from '#server/lib/server-limits.ts'
import type { AppPermission } from '#wire/api/app-passwords.ts'
import { Fault } from '#wire/fault.ts'
import { LIMITS } from '#wire/limits.ts'
import type { TreePath } from '#wire/paths.ts'
import { permissionsOf } from '#wire/permissions.ts'
import { DAY_MS } from '#wire/units.ts'
import { INVISIBLE } from '../users/user-checks.ts'
import { digestOfSecret, newSecret } from './secret.ts'
import { idOfSession } from './session-name.ts'

export interface AppPasswordRequest {
  name: string
  /** The program that it is for; may be empty. */
  application: string
  permissions: readonly AppPermission[]
  folder: TreePath
  /** The identity of the folder; empty for the root. */
  target: string
  /** Milliseconds since 1970; 0: it does not end. */
  expiresMs: number
}

/** A longer one is a mistake; without an end, it is valid until it is removed. */
const LIFETIME_MAX_MS = 36_525 * DAY_MS

export class AppPasswords {
  readonly #rows: AppPasswordRows

  constructor(rows: AppPasswordRows) {
    this.#rows = rows
  }

  /**
   * @returns the app password, and its text, which is not stored
   * @throws Fault badRequest (no name or permission, or an end in the past), tooMany
   */
  async create(
    userId: number,
    { name, application, permissions, folder, target, expiresMs }: AppPasswordRequest,
  ): Promise<{ stored: StoredAppPassword; secret: string }> {
    const [shownName, program] = [name.trim(), application.trim()]
    if (shownName === '' || !isShowable(shownName)) {
      throw new Fault(
        'badRequest',
        `The name of an app password has 1 to ${LIMITS.appPasswordNameMax} characters, none of them invisible.`,
        { field: 'name' },
      )
    }
    if (!isShowable(program)) {
      throw new Fault(
        'badRequest',
        `The application has at most ${LIMITS.appPasswordNameMax} characters, none of them invisible.`,
        { field: 'application' },
      )
    }
    if (permissions.length === 0) {
      throw new Fault('badRequest', 'An app password needs at least one permission.', {
        field: 'permissions',
      })
    }
    const nowMs = Date.now()
    if (expiresMs !== 0 && !(expiresMs > nowMs && expiresMs <= nowMs + LIFETIME_MAX_MS)) {
      throw new Fault(
        'badRequest',
        'The end of an app password is in the future, at most a hundred years from now.',
        { field: 'expires' },
      )
    }
    const secret = newSecret()
    const created = {
      userId,
      name: shownName,
      application: program,
      secretHash: digestOfSecret(secret),
      permissions: permissionsOf(...permissions),
      folder,
      target,
      createdMs: nowMs,
      expiresMs,
      isPaused: false,
    }
    const id = await this.#rows.atomically(async () => {
      await this.#refuseTooMany(userId)
      return this.#rows.insert(created)
    })
    return { stored: { ...created, id, usedMs: 0, address: '', agent: '' }, secret }
  }

  /** @throws Fault tooMany */
  async #refuseTooMany(userId: number): Promise<void> {
    if ((await this.#rows.count(userId)) < SERVER_LIMITS.appPasswordsMax) return
    throw new Fault(
      'tooMany',
      `A user has at most ${SERVER_LIMITS.appPasswordsMax} app passwords. Remove one first.`,
    )
  }

  /** @returns those of one user, or of all, the newest first */
  list(userId?: number): Promise<StoredAppPassword[]> {
    return this.#rows.list(userId)
  }

  find(id: number): Promise<StoredAppPassword | undefined> {
    return this.#rows.find(id)
  }

  /**
   * @param session of a request, as records have it
   * @returns the name of the app password that it was made with; empty for a session, or if it was removed
   */
  async nameOf(session: string): Promise<string> {
    const id = idOfSession(session)
    return id === undefined ? '' : ((await this.#rows.find(id))?.name ?? '')
  }

  async setPaused(id: number, isPaused: boolean): Promise<void> {
    await this.#rows.setPaused(id, isPaused)
  }

  /** Removes it at once; a running request with it ends. */
  async remove(id: number): Promise<void> {
    await this.#rows.remove(id)
  }

  /** @returns how many were removed */
  removeAll(userId: number): Promise<number> {
    return this.#rows.removeByUser(userId)
  }
}

function isShowable(text: string): boolean {
  return text.length <= LIMITS.appPasswordNameMax && !INVISIBLE.test(text)
}
