/** Who may change whom, and when the own password has to be said again (docs/api.md 4.5, docs/decisions.md 9). */

import { must } from '#server/access/policy.ts'
import type { StoredUser } from '#server/db/users.ts'
import type { Settings } from '#server/settings/settings.ts'
import type { Sorting } from '#wire/entry.ts'
import { Fault } from '#wire/fault.ts'
import type { TreePath } from '#wire/paths.ts'
import { permissionsOf } from '#wire/permissions.ts'
import type { User } from '#wire/user.ts'
import { homeFolder } from './home.ts'
import { verifyPassword } from './passwords.ts'
import type { Provisioning } from './provisioning.ts'
import type { Throttle } from './throttle.ts'
import type { UserChanges } from './user-changes.ts'
import type { Users } from './users.ts'

/** What each person may set for themselves. */
const OWN = [
  'locale',
  'viewMode',
  'singleClick',
  'redirectAfterCopyMove',
  'hideDotfiles',
  'dateFormat',
  'sorting',
  'aceEditorTheme',
] as const

/** What only administrators may set, saying their own password again. */
const GUARDED = ['username', 'scope', 'lockPassword', 'perm', 'commands', 'rules'] as const

const FIELDS = [...OWN, ...GUARDED, 'password'] as const
type Field = (typeof FIELDS)[number]

export interface UserEdit {
  /** The fields of `data` that count; empty or `all` means every one that `data` holds. */
  which: readonly string[]
  data: { [field in keyof User]?: User[field] | undefined }
  /** What shows that whoever makes the change is who they say. */
  confirmation: PasswordConfirmation
}

/** The own password, said again. */
export interface PasswordConfirmation {
  password: string
  /** Where it was said. */
  address: string
  /** The person when the change is made; undefined when their session has ended since. */
  present(): StoredUser | undefined
}

export class UserAdmin {
  readonly #users: Users
  readonly #settings: Settings
  readonly #provisioning: Provisioning
  readonly #throttle: Throttle
  readonly #confirms: boolean

  /** @param confirms whether people have passwords to say again: under sign-in by password */
  constructor(
    users: Users,
    settings: Settings,
    provisioning: Provisioning,
    throttle: Throttle,
    confirms: boolean,
  ) {
    this.#users = users
    this.#settings = settings
    this.#provisioning = provisioning
    this.#throttle = throttle
    this.#confirms = confirms
  }

  /**
   * Adds a person and makes their folder.
   *
   * @throws Fault forbidden, badRequest, usernameTaken, notDirectory, readOnly
   */
  async create(by: StoredUser, { which, data, confirmation }: UserEdit): Promise<StoredUser> {
    must(by, 'administer')
    await this.#confirm(by, confirmation)
    const accept = () => must(still(confirmation), 'administer')
    const granted = this.#newIn({ which, data })
    const { username = '', password = '' } = data
    const user = await this.#users.create(username, password, granted, accept)
    return this.#provisioning.settle(user)
  }

  /**
   * Refuses what would be refused of a change (without an `id`: of a new person) whatever the own
   * password is, so that nobody is asked for it in vain. Changes nothing.
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
      must(by, 'administer')
      return this.#users.check(id, { ...this.#newIn(edit), username }, password ?? '')
    }
    const { changes, setsPassword } = this.#changesFor(by, id, edit)
    return this.#users.check(id, changes, setsPassword ? (password ?? '') : undefined)
  }

  /** @throws Fault forbidden, badRequest, notFound, usernameTaken */
  async update(by: StoredUser, id: number, edit: UserEdit): Promise<void> {
    const { fields, changes, setsPassword } = this.#changesFor(by, id, edit)
    if (fields.some((field) => !isOwn(field))) await this.#confirm(by, edit.confirmation)
    this.#users.get(id)
    const accept = () => {
      const now = still(edit.confirmation)
      mustBeSelfOrAdminister(now, id)
      this.#fieldsOf(now, edit)
    }
    if (setsPassword) {
      await this.#users.updateWithPassword(id, changes, edit.data.password ?? '', accept)
    } else if (Object.keys(changes).length > 0) {
      accept()
      this.#users.update(id, changes)
    }
  }

  /** @throws Fault forbidden, badRequest, notFound */
  async remove(by: StoredUser, id: number, confirmation: PasswordConfirmation): Promise<void> {
    mustBeSelfOrAdminister(by, id)
    this.#users.get(id)
    await this.#confirm(by, confirmation)
    mustBeSelfOrAdminister(still(confirmation), id)
    this.#users.remove(id)
  }

  /** What is granted to somebody new. @throws Fault badRequest */
  #newIn({ which, data }: Omit<UserEdit, 'confirmation'>): UserChanges {
    if (which.length > 0) throw new Fault('badRequest', 'which must be empty for a new user')
    const home = this.#homeFor(data.username ?? '', data.scope)
    return {
      // Rights that nobody granted are not granted, whatever the defaults say (docs/api.md 1.12).
      perm: permissionsOf(),
      commands: [],
      ...changesIn(data, [...OWN, ...GUARDED]),
      ...(data.sorting && { sorting: fromAtoZ(data.sorting) }),
      ...(home && { scope: home }),
    }
  }

  /** @throws Fault forbidden, badRequest */
  #changesFor(by: StoredUser, id: number, edit: Omit<UserEdit, 'confirmation'>) {
    mustBeSelfOrAdminister(by, id)
    if (edit.data.id !== undefined && edit.data.id !== id) {
      throw new Fault('badRequest', 'data.id is another user’s')
    }
    const fields = this.#fieldsOf(by, edit)
    // Among all fields an empty one says that it stays; named alone it would be the new one.
    const setsPassword = fields.includes('password') && (!isAll(edit) || !!edit.data.password)
    if (setsPassword && by.lockPassword) {
      throw new Fault('forbidden', 'Your password is locked; an administrator can change it.')
    }
    return { fields, changes: changesIn(edit.data, fields), setsPassword }
  }

  /** A blank scope stands for a folder of the person's own, where the settings make such folders. */
  #homeFor(username: string, scope: string | undefined): TreePath | undefined {
    const { createUserDir, userHomeBasePath } = this.#settings.get()
    return createUserDir && !scope ? homeFolder(userHomeBasePath, username) : undefined
  }

  /**
   * Whoever found a session open must not find the password by trying. What others try elsewhere does
   * not count: it is counted by this person and this address.
   *
   * @throws Fault badRequest, tooMany, unavailable
   */
  async #confirm(by: StoredUser, { password, address }: PasswordConfirmation): Promise<void> {
    if (!this.#confirms) return
    const counted = () => ['pair', 'account'] as const
    const isRight = await this.#throttle.attempt(
      { account: `own ${by.id}`, address, counted },
      () => verifyPassword(password, by.passwordHash),
    )
    if (isRight) return
    throw new Fault('badRequest', 'the current password is incorrect', {
      reason: 'currentPasswordWrong',
    })
  }

  /** The named fields, by their proper spelling. @throws Fault badRequest, forbidden */
  #fieldsOf(by: StoredUser, edit: Pick<UserEdit, 'which'>): readonly Field[] {
    if (isAll(edit)) {
      must(by, 'administer')
      return FIELDS
    }
    const fields = edit.which.map((name) => {
      const field = FIELDS.find((known) => known.toLowerCase() === name.toLowerCase())
      if (!field) throw new Fault('badRequest', `which: there is no field ${name}`)
      return field
    })
    if (fields.some((field) => !isOwn(field) && field !== 'password')) must(by, 'administer')
    return fields
  }
}

/**
 * Programs that add people were written for File Browser, where `asc: false` is A to Z (docs/api.md 8.5).
 * Nobody adds a person who is to see names from Z to A.
 */
function fromAtoZ(sorting: Sorting): Sorting {
  return sorting.by === 'name' ? { ...sorting, asc: true } : sorting
}

function isAll({ which }: Pick<UserEdit, 'which'>): boolean {
  return which.length === 0 || (which.length === 1 && which[0]?.toLowerCase() === 'all')
}

function isOwn(field: Field): boolean {
  return OWN.some((own) => own === field)
}

function changesIn(data: UserEdit['data'], fields: readonly Field[]): UserChanges {
  const named = fields.filter((field) => field !== 'password' && data[field] !== undefined)
  return Object.fromEntries(named.map((field) => [field, data[field]]))
}

/**
 * Whoever asked for a change, at the moment of the change: comparing and hashing passwords takes a while,
 * and longer when others wait. A change of password or rights ends the session.
 *
 * @throws Fault unauthenticated
 */
function still({ present }: PasswordConfirmation): StoredUser {
  const now = present()
  if (now) return now
  throw new Fault('unauthenticated', 'The session ended during the request.')
}

function mustBeSelfOrAdminister(by: StoredUser, id: number): void {
  if (by.id !== id) must(by, 'administer')
}
