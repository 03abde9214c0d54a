/** The ways to say who one is (docs/api.md 3). A method more is a row more. */
import type { StoredUser } from '#server/db/users.ts'
import { Fault } from '#wire/fault.ts'
import type { Credentials } from '#wire/session.ts'
import type { AuthMethod } from '#wire/settings.ts'
import { type CaptchaSettings, checkCaptcha } from './captcha.ts'
import { hashPassword, verifyPassword } from './passwords.ts'
import type { Provisioning } from './provisioning.ts'
import { changesIn, runSignInHook } from './sign-in-hook.ts'
import type { UserChanges } from './user-changes.ts'
import type { Users } from './users.ts'

/** What a client brought to the login. */
export interface Attempt extends Omit<Credentials, 'recaptcha'> {
  recaptcha?: string | undefined
  /** Aborted when whoever tries has left. */
  signal?: AbortSignal | undefined
  /** A header of the request; undefined where the peer is not to be believed. */
  header(name: string): string | undefined
}

export interface MethodSettings {
  method: AuthMethod
  /** proxy: the header that names the person. */
  header: string
  /** hook: the program with its arguments. */
  command: string
  captcha: CaptchaSettings
}

interface Tools {
  users: Users
  provisioning: Provisioning
  settings: MethodSettings
}

/** @throws Fault wrongCredentials for somebody who is nobody here; others as each row says */
type Method = (attempt: Attempt, tools: Tools) => Promise<StoredUser>

export const SIGN_IN_METHODS: Record<AuthMethod, Method> = {
  json: byPassword,
  proxy: byProxy,
  hook: byHook,
  noauth: asFirstUser,
}

/** An unknown name costs the same time and gets the same answer as a wrong password (docs/decisions.md 8). */
async function byPassword(
  { username, password, recaptcha }: Attempt,
  { users, settings }: Tools,
): Promise<StoredUser> {
  await checkCaptcha(settings.captcha, recaptcha)
  return knownByPassword(users, username, password)
}

/**
 * The proxy has asked already: its header names the person, who is made here when new (docs/decisions.md 19).
 *
 * @throws Fault forbidden when the header is missing or its sender is not to be believed, badRequest
 *   for what is no name
 */
async function byProxy(
  { header }: Attempt,
  { users, provisioning, settings }: Tools,
): Promise<StoredUser> {
  const username = header(settings.header)?.trim()
  if (!username) {
    throw new Fault('forbidden', 'No trusted proxy sent your user name.')
  }
  return (
    users.findByName(username) ??
    provisioning.add(username, await randomHash(), { lockPassword: true }, { emptyHome: false })
  )
}

/** @throws Fault as `askHook` */
async function byHook(
  attempt: Attempt,
  { users, provisioning, settings }: Tools,
): Promise<StoredUser> {
  const { username, password } = attempt
  const { action, fields } = await runSignInHook(settings.command, attempt, attempt.signal)
  if (action === 'pass') return knownByPassword(users, username, password)
  if (action === 'block' || username === '') throw wrong()
  const known = users.findByName(username)
  if (!known) {
    const changes = { ...changesIn(fields, users.blank()), lockPassword: true }
    // An empty password is none, and opens nothing.
    const hash = password === '' ? await randomHash() : await hashPassword(password)
    return provisioning.add(username, hash, changes, { emptyHome: false })
  }
  const changes: UserChanges = { ...changesIn(fields, known), lockPassword: !known.perm.admin }
  const changed = users.updateWhatDiffers(known, changes)
  return users.keepPassword(changed, password)
}

/** @throws Fault internal when the first user was removed */
async function asFirstUser(_: Attempt, { users }: Tools): Promise<StoredUser> {
  const first = users.list().find(({ id }) => id === FIRST_USER)
  if (first) return first
  throw new Fault('internal', 'There is no user 1.', { cause: 'noauth signs in user 1' })
}

const FIRST_USER = 1

async function knownByPassword(
  users: Users,
  username: string,
  password: string,
): Promise<StoredUser> {
  const user = users.findByName(username)
  const right = await verifyPassword(password, user?.passwordHash, users.hashKinds())
  if (!user || !right) throw wrong()
  return users.refreshHash(user, password)
}

function wrong(): Fault {
  return new Fault('wrongCredentials', 'The name or the password is wrong.')
}

/** For people who never type one here. */
function randomHash(): Promise<string> {
  return hashPassword(crypto.randomUUID() + crypto.randomUUID())
}
