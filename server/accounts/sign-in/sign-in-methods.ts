/** The sign-in methods, one function each (docs/api.md 3). */
import type { StoredUser } from '#server/db/rows/users.ts'
import type { Credentials } from '#wire/api/session.ts'
import type { AuthMethod } from '#wire/api/settings.ts'
import { Fault } from '#wire/fault.ts'
import { hashPassword, verifyPassword } from '../credentials/passwords.ts'
import type { Provisioning } from '../users/provisioning.ts'
import type { UserChanges } from '../users/user-changes.ts'
import type { Users } from '../users/users.ts'
import { type CaptchaSettings, checkCaptcha } from './captcha.ts'
import { applyHookFields, runSignInHook } from './sign-in-hook.ts'

/** The data of a sign-in attempt. */
export interface SignInAttempt extends Omit<Credentials, 'recaptcha'> {
  recaptcha?: string | undefined
  /** Aborted when the client leaves. */
  signal?: AbortSignal | undefined
  /** @returns a header of the request; undefined if the peer is not trusted */
  header(name: string): string | undefined
}

export interface MethodSettings {
  method: AuthMethod
  /** proxy: the header with the user name. */
  header: string
  /** hook: the program with its arguments. */
  command: string
  captcha: CaptchaSettings
}

interface Dependencies {
  users: Users
  provisioning: Provisioning
  settings: MethodSettings
}

/** @throws Fault wrongCredentials for an unknown user; others as each method says */
type Method = (attempt: SignInAttempt, dependencies: Dependencies) => Promise<StoredUser>

export const SIGN_IN_METHODS: Record<AuthMethod, Method> = {
  json: byPassword,
  proxy: byProxy,
  hook: byHook,
  noauth: asFirstUser,
}

/** An unknown name takes the same time and gets the same response as a wrong password (docs/decisions.md 8). */
async function byPassword(
  { username, password, recaptcha }: SignInAttempt,
  { users, settings }: Dependencies,
): Promise<StoredUser> {
  await checkCaptcha(settings.captcha, recaptcha)
  return verifiedByPassword(users, username, password)
}

/**
 * A trusted proxy (docs/decisions.md 19) has authenticated the user and names them in a header. A new user is created.
 *
 * @throws Fault forbidden if the header is missing or its sender is not trusted, badRequest for an invalid name
 */
async function byProxy(
  { header }: SignInAttempt,
  { users, provisioning, settings }: Dependencies,
): Promise<StoredUser> {
  const username = header(settings.header)?.trim()
  if (!username) {
    throw new Fault('forbidden', 'No trusted proxy sent your user name.')
  }
  return (
    (await users.findByName(username)) ??
    (await provisioning.add(
      username,
      await randomHash(),
      { lockPassword: true },
      { requireEmptyHome: false },
    ))
  )
}

/** @throws Fault as `runSignInHook` */
async function byHook(
  attempt: SignInAttempt,
  { users, provisioning, settings }: Dependencies,
): Promise<StoredUser> {
  const { username, password } = attempt
  const { action, fields } = await runSignInHook(settings.command, attempt, attempt.signal)
  if (action === 'pass') return verifiedByPassword(users, username, password)
  if (action === 'block' || username === '') throw wrongCredentials()
  const known = await users.findByName(username)
  if (!known) {
    const changes = { ...applyHookFields(fields, users.defaults()), lockPassword: true }
    // An empty password must not become valid.
    const hash = password === '' ? await randomHash() : await hashPassword(password)
    return provisioning.add(username, hash, changes, { requireEmptyHome: false })
  }
  const changes: UserChanges = {
    ...applyHookFields(fields, known),
    lockPassword: !known.perm.admin,
  }
  const changed = await users.updateChangedFields(known, changes)
  return users.storeVerifiedPassword(changed, password)
}

/** @throws Fault internal if the first user was deleted; unavailable before the first start has made it */
async function asFirstUser(_: SignInAttempt, { users }: Dependencies): Promise<StoredUser> {
  const first = (await users.list()).find(({ id }) => id === FIRST_USER)
  if (first) return first
  if ((await users.count()) === 0) {
    throw new Fault(
      'unavailable',
      'The server is starting for the first time. Try again in a moment.',
    )
  }
  throw new Fault(
    'internal',
    'There is no user with the id 1. With --auth.method=noauth all clients act as this user. Add the user, or choose another --auth.method.',
    { cause: 'noauth signs in user 1' },
  )
}

/** The id of the user that all clients act as under `noauth`. */
const FIRST_USER = 1

/** @throws Fault wrongCredentials (an unknown name or a wrong password) */
async function verifiedByPassword(
  users: Users,
  username: string,
  password: string,
): Promise<StoredUser> {
  const user = await users.findByName(username)
  const matches = await verifyPassword(password, user?.passwordHash, await users.hashKinds())
  if (!user || !matches) throw wrongCredentials()
  return users.refreshHash(user, password)
}

export function wrongCredentials(): Fault {
  return new Fault('wrongCredentials', 'The name or the password is wrong.')
}

/** @returns the hash of an unknown password, for users who never enter one in filemgr */
export function randomHash(): Promise<string> {
  return hashPassword(crypto.randomUUID() + crypto.randomUUID())
}
