/**
 * Rules for changes of users: who may change whom, and when the password must be confirmed (docs/api.md 4.5,
 * docs/decisions.md 9).
 */

import { requireAction } from '#server/access/policy.ts'
import type { StoredUser } from '#server/db/rows/users.ts'
import type { Settings } from '#server/settings/settings.ts'
import type { Sorting } from '#wire/api/entry.ts'
import type { NewInvitation } from '#wire/api/invitations.ts'
import type { User } from '#wire/api/user.ts'
import { Fault } from '#wire/fault.ts'
import type { TreePath } from '#wire/paths.ts'
import { permissionsOf } from '#wire/permissions.ts'
import { type Confirmation, type Confirmations, currentUser } from './confirmations.ts'
import { homeFolder } from './home.ts'
import type { Invitations } from './invitations.ts'
import type { Provisioning } from './provisioning.ts'
import type { UserChanges } from './user-changes.ts'
import { endsSessions, type Users } from './users.ts'

/** Fields that users may change themselves. */
const OWN_FIELDS = [
  'locale',
  'viewMode',
  'singleClick',
  'redirectAfterCopyMove',
  'hideDotfiles',
  'dateFormat',
  'sorting',
  'aceEditorTheme',
] as const

/** Fields that only administrators may change, with their password. */
const ADMIN_FIELDS = ['username', 'scope', 'lockPassword', 'perm', 'commands', 'rules'] as const

const FIELDS = [...OWN_FIELDS, ...ADMIN_FIELDS, 'password'] as const
type Field = (typeof FIELDS)[number]

export interface UserEdit {
  /** The fields of `data` to change; empty or `all` means all of them. */
  which: readonly string[]
  data: { [field in keyof User]?: User[field] | undefined }
  /** The confirmation of the user who makes the change. */
  confirmation: Confirmation
}

export class UserAdmin {
  readonly #users: Users
  readonly #settings: Settings
  readonly #provisioning: Provisioning
  readonly #confirmations: Confirmations
  readonly #invitations: Invitations

  constructor(
    users: Users,
    settings: Settings,
    provisioning: Provisioning,
    confirmations: Confirmations,
    invitations: Invitations,
  ) {
    this.#users = users
    this.#settings = settings
    this.#provisioning = provisioning
    this.#confirmations = confirmations
    this.#invitations = invitations
  }

  /**
   * Creates a user with a home folder.
   *
   * @throws Fault forbidden, badRequest, usernameTaken, notDirectory, readOnly
   */
  async create(by: StoredUser, { which, data, confirmation }: UserEdit): Promise<StoredUser> {
    requireAction(by, 'administer')
    await this.#confirmations.confirm(by, confirmation)
    const accept = async () => requireAction(await currentUser(confirmation), 'administer')
    const fields = this.#newUserFields({ which, data })
    const { username = '', password = '' } = data
    const user = await this.#users.create(username, password, fields, accept)
    return this.#provisioning.createHome(user)
  }

  /**
   * Creates a user who chooses the password by an invitation.
   *
   * @param by has confirmed it (`Confirmations`)
   * @param findCurrentUser as in `Confirmation`
   * @throws as `create`; tooMany (open invitations)
   */
  async invite(
    by: StoredUser,
    data: UserEdit['data'],
    findCurrentUser: Confirmation['findCurrentUser'],
  ): Promise<NewInvitation> {
    requireAction(by, 'administer')
    const fields = this.#newUserFields({ which: [], data })
    await this.#invitations.throwIfTooMany()
    const hash = await this.#invitations.unknownPasswordHash()
    requireAction(await currentUser({ findCurrentUser }), 'administer')
    const user = await this.#users.createHashed(data.username ?? '', hash, fields)
    await this.#provisioning.createHome(user)
    return this.#invitations.make(user.id)
  }

  /**
   * Creates an invitation for an existing user. The old password stays valid until a new one is chosen.
   *
   * @param by has confirmed it (`Confirmations`)
   * @throws Fault forbidden, notFound, tooMany
   */
  async inviteAgain(by: StoredUser, id: number): Promise<NewInvitation> {
    requireAction(by, 'administer')
    await this.#users.get(id)
    return this.#invitations.make(id)
  }

  /**
   * Validates a change (without an `id`: of a new user) before the password is asked for. Changes nothing.
   *
   * @throws Fault forbidden, badRequest, notFound, usernameTaken
   */
  async check(
    by: StoredUser,
    id: number | undefined,
    edit: Omit<UserEdit, 'confirmation'>,
  ): Promise<void> {
    const { password, username = '' } = edit.data
    if (id === undefined) {
      requireAction(by, 'administer')
      return this.#users.validate(id, { ...this.#newUserFields(edit), username }, password ?? '')
    }
    const { changes, setsPassword } = this.#changesFor(by, id, edit)
    return this.#users.validate(id, changes, setsPassword ? (password ?? '') : undefined)
  }

  /**
   * @returns whether the change has ended the sessions of the user
   * @throws Fault forbidden, badRequest, notFound, usernameTaken
   */
  async update(by: StoredUser, id: number, edit: UserEdit): Promise<boolean> {
    const { fields, changes, setsPassword } = this.#changesFor(by, id, edit)
    if (fields.some((field) => !isOwn(field)))
      await this.#confirmations.confirm(by, edit.confirmation)
    await this.#users.get(id)
    const accept = async () => {
      const caller = await currentUser(edit.confirmation)
      requireSelfOrAdministrator(caller, id)
      this.#fieldsOf(caller, edit)
    }
    if (setsPassword) {
      await this.#users.updateWithPassword(id, changes, edit.data.password ?? '', accept)
    } else if (Object.keys(changes).length > 0) {
      await accept()
      await this.#users.update(id, changes)
    }
    return setsPassword || endsSessions(changes)
  }

  /**
   * @param by has confirmed it (`Confirmations`)
   * @throws Fault forbidden, badRequest, notFound
   */
  async remove(by: StoredUser, id: number): Promise<void> {
    requireSelfOrAdministrator(by, id)
    await this.#users.get(id)
    await this.#users.remove(id)
  }

  /**
   * The fields of a new user.
   *
   * @throws Fault badRequest
   */
  #newUserFields({ which, data }: Omit<UserEdit, 'confirmation'>): UserChanges {
    if (which.length > 0) throw new Fault('badRequest', 'which must be empty for a new user.')
    const home = this.#homeFor(data.username ?? '', data.scope)
    return {
      // The defaults grant no rights here (docs/api.md 1.12).
      perm: permissionsOf(),
      commands: [],
      ...changesIn(data, [...OWN_FIELDS, ...ADMIN_FIELDS]),
      ...(data.sorting && { sorting: fromAtoZ(data.sorting) }),
      ...(home && { scope: home }),
    }
  }

  /** @throws Fault forbidden, badRequest */
  #changesFor(by: StoredUser, id: number, edit: Omit<UserEdit, 'confirmation'>) {
    requireSelfOrAdministrator(by, id)
    if (edit.data.id !== undefined && edit.data.id !== id) {
      throw new Fault('badRequest', 'data.id is the id of another user.')
    }
    const fields = this.#fieldsOf(by, edit)
    // An empty password among all fields means no change; named alone it is refused as a new password.
    const setsPassword = fields.includes('password') && (!isAll(edit) || !!edit.data.password)
    if (setsPassword && by.lockPassword) {
      throw new Fault('forbidden', 'Your password is locked; an administrator can change it.')
    }
    return { fields, changes: changesIn(edit.data, fields), setsPassword }
  }

  /** An empty scope means a home folder of its own, if the settings enable that. */
  #homeFor(username: string, scope: string | undefined): TreePath | undefined {
    const { createUserDir, userHomeBasePath } = this.#settings.get()
    return createUserDir && !scope ? homeFolder(userHomeBasePath, username) : undefined
  }

  /**
   * @returns the fields named by `which`, in their proper spelling
   * @throws Fault badRequest (an unknown field), forbidden (a field that only administrators may change)
   */
  #fieldsOf(by: StoredUser, edit: Pick<UserEdit, 'which'>): readonly Field[] {
    if (isAll(edit)) {
      requireAction(by, 'administer')
      return FIELDS
    }
    const fields = edit.which.map((name) => {
      const field = FIELDS.find((known) => known.toLowerCase() === name.toLowerCase())
      if (!field)
        throw new Fault('badRequest', `which contains ${name}, which is not a field of a user.`)
      return field
    })
    if (fields.some((field) => !isOwn(field) && field !== 'password'))
      requireAction(by, 'administer')
    return fields
  }
}

/** Clients that add users follow File Browser, where `asc: false` is A to Z (docs/api.md 8.5). */
function fromAtoZ(sorting: Sorting): Sorting {
  return sorting.by === 'name' ? { ...sorting, asc: true } : sorting
}

function isAll({ which }: Pick<UserEdit, 'which'>): boolean {
  return which.length === 0 || (which.length === 1 && which[0]?.toLowerCase() === 'all')
}

function isOwn(field: Field): boolean {
  return OWN_FIELDS.some((ownField) => ownField === field)
}

function changesIn(data: UserEdit['data'], fields: readonly Field[]): UserChanges {
  const named = fields.filter((field) => field !== 'password' && data[field] !== undefined)
  return Object.fromEntries(named.map((field) => [field, data[field]]))
}

function requireSelfOrAdministrator(by: StoredUser, id: number): void {
  if (by.id !== id) requireAction(by, 'administer')
}
