/** Sign-in by the configured method. */

import type { AuthenticationResponseJSON } from '@simplewebauthn/server'
import type { Config } from '#server/config/config.ts'
import type { StoredUser } from '#server/db/rows/users.ts'
import { networkPrefix } from '#server/lib/network.ts'
import type { AuthMethod } from '#wire/api/settings.ts'
import { Fault, isFault } from '#wire/fault.ts'
import type { FailureKind } from '../credentials/failures.ts'
import type { KnownNetworks } from '../credentials/known-networks.ts'
import type { SessionClient, Sessions } from '../credentials/sessions.ts'
import { ALL_FAILURE_KINDS, type Throttle } from '../credentials/throttle.ts'
import type { DirectorySignIn, DirectoryUser } from '../directory/directory-sign-in.ts'
import { fold } from '../directory/distinguished-names.ts'
import type { PasskeySite } from '../passkeys/passkey-site.ts'
import type { Passkeys } from '../passkeys/passkeys.ts'
import type { Enforcement } from '../second-factor/enforcement.ts'
import type { SecondFactors } from '../second-factor/second-factors.ts'
import type { Provisioning } from '../users/provisioning.ts'
import type { Users } from '../users/users.ts'
import {
  type MethodSettings,
  SIGN_IN_METHODS,
  type SignInAttempt,
  wrongCredentials,
} from './sign-in-methods.ts'

interface Deps {
  users: Users
  provisioning: Provisioning
  directorySignIn: DirectorySignIn
  sessions: Sessions
  throttle: Throttle
  secondFactors: SecondFactors
  passkeys: Passkeys
  enforcement: Enforcement
  knownNetworks: KnownNetworks
}

/** A new session with its user. */
export interface SignedIn {
  username: string
  token: string
}

/** The password is right, and a second factor is needed too. */
export class CodeNeededFault extends Fault {
  /** Stands for the password in `finish`. */
  readonly ticket: string

  /** @param reason `factorDue`: the user must set one up first, for which `enrol` opens a session */
  constructor(ticket: string, reason: 'codeNeeded' | 'factorDue' = 'codeNeeded') {
    super('unauthenticated', MESSAGES[reason], { reason })
    this.ticket = ticket
  }
}

const MESSAGES = {
  codeNeeded: 'Enter a code of your second factor.',
  factorDue: 'Set up a second factor first, in the interface of this server.',
}

export class SignIn {
  readonly settings: MethodSettings
  readonly #deps: Deps

  /** @throws Fault badRequest for a method with missing options */
  constructor(deps: Deps, settings: MethodSettings) {
    refuseIncomplete(settings)
    this.#deps = deps
    this.settings = settings
  }

  /** @param log takes a notice if failures block the address that all clients seem to have */
  listen(log: (line: string) => void): void {
    this.#deps.throttle.onBlockedAddress((address) => {
      void this.#isOnlyNetwork(networkPrefix(address)).then((isOnlyOne) => {
        if (isOnlyOne) log(oneAddressNotice(address))
      })
    })
  }

  /** Whether all sessions come from one network. */
  async #isOnlyNetwork(network: string): Promise<boolean> {
    const sessions = await this.#deps.sessions.list()
    return sessions.every(({ address }) => networkPrefix(address) === network)
  }

  /** Whether users sign in with a name and a password. */
  get takesPassword(): boolean {
    return this.settings.method === 'json' || this.settings.method === 'hook'
  }

  /** Whether users can have a second factor here. Other methods than the password have factors of their own. */
  get hasSecondFactors(): boolean {
    return this.settings.method === 'json'
  }

  /**
   * Creates a session for the user that the method returns.
   *
   * @param sessionUser the user of a valid token in the request, if any
   * @throws CodeNeededFault; Fault wrongCredentials, tooMany (failed attempts), unavailable (too many comparisons wait);
   *   others of the sign-in method
   */
  async open(
    attempt: SignInAttempt,
    client: SessionClient,
    sessionUser?: string,
  ): Promise<SignedIn> {
    const { sessions } = this.#deps
    const { username, password } = attempt
    // Not counted: it guesses nothing, and any site can make the browsers of others send it.
    if (this.takesPassword && username === '' && password === '') throw wrongCredentials()
    const { user, identityId } = await this.#attempt(username, client, sessionUser, async () => {
      const found = await this.#find(attempt)
      const issue = () => sessions.issueTicket(found.user, found.identityId)
      // Neither a failure nor a success: the right password alone does not reset the counters.
      if (await this.#needsCode(found.user)) throw new CodeNeededFault(await issue())
      if (await this.#deps.enforcement.isDue(found.user))
        throw new CodeNeededFault(await issue(), 'factorDue')
      return found
    })
    return this.#begin(user, client, 0, identityId)
  }

  /** The user that the method returns; after a wrong password, that of a directory. */
  async #find(attempt: SignInAttempt): Promise<DirectoryUser> {
    const settings = this.settings
    try {
      const user = await SIGN_IN_METHODS[settings.method](attempt, { ...this.#deps, settings })
      return { user, identityId: 0 }
    } catch (error) {
      if (settings.method !== 'json' || !isFault(error, 'wrongCredentials')) throw error
      const found = await this.#deps.directorySignIn.find(attempt).catch(asCounted)
      if (!found) throw error
      return found
    }
  }

  /**
   * Creates a session after `open` asked for a code.
   *
   * @param ticket of CodeNeededFault
   * @param code a one-time code or a recovery code
   * @throws Fault expired (the ticket is not valid any more), wrongCredentials (the code is wrong), tooMany,
   *   unavailable
   */
  async finish(ticket: string, code: string, client: SessionClient): Promise<SignedIn> {
    const { user, identity } = await this.#read(ticket)
    if (!(await this.#needsCode(user))) throw ticketExpired()
    await this.#attempt(user.username, client, undefined, async () => {
      if (await this.#deps.secondFactors.accepts(user.id, code)) return
      throw new Fault(
        'wrongCredentials',
        'The code is wrong, or was used before. Wait for the next one.',
        { reason: 'codeWrong' },
      )
    })
    return this.#begin(user, client, Date.now(), identity)
  }

  /**
   * Creates a session for a user who must set up a second factor: it can do nothing else before.
   *
   * @param ticket of CodeNeededFault
   * @throws Fault expired (the ticket is not valid any more, or a second factor exists by now)
   */
  async enrol(ticket: string, client: SessionClient): Promise<SignedIn> {
    const { user, identity } = await this.#read(ticket)
    if (!(await this.#deps.enforcement.isDue(user))) throw ticketExpired()
    return this.#begin(user, client, 0, identity)
  }

  /**
   * Creates a session with a passkey alone: it is on a device of the user, who has unlocked it there.
   *
   * @throws Fault methodNotAllowed; wrongCredentials (with a reason as `Passkeys.accept`), expired (the challenge), tooMany,
   *   unavailable
   */
  async openWithPasskey(
    response: AuthenticationResponseJSON,
    site: PasskeySite,
    client: SessionClient,
  ): Promise<SignedIn> {
    const { passkeys, users } = this.#deps
    const user = await this.#attempt(
      await this.passkeyOwner(response.id),
      client,
      undefined,
      async () => {
        const expected = { purpose: 'signIn', session: '' } as const
        const { userId } = await passkeys.accept(response, site, expected).catch(asWrong)
        return users.get(userId)
      },
    )
    return this.#begin(user, client, Date.now())
  }

  /** @returns the name of the user whose passkey a response is of; empty if there is none */
  async passkeyOwner(id: string): Promise<string> {
    const { passkeys, users } = this.#deps
    const owner = (await passkeys.find(id))?.userId
    return (owner === undefined ? undefined : (await users.find(owner))?.username) ?? ''
  }

  /**
   * @returns the user of a ticket
   * @throws Fault expired
   */
  async userOf(ticket: string): Promise<StoredUser> {
    return (await this.#read(ticket)).user
  }

  /** @throws Fault expired */
  async #read(ticket: string): Promise<{ user: StoredUser; identity: number }> {
    const read = await this.#deps.sessions.readTicket(ticket)
    const isLinked = !read?.identity || (await this.#deps.directorySignIn.isUsed(read.identity))
    if (
      read &&
      isLinked &&
      ((await this.#needsCode(read.user)) || (await this.#deps.enforcement.isDue(read.user)))
    )
      return read
    throw ticketExpired()
  }

  async #needsCode({ id }: StoredUser): Promise<boolean> {
    return this.hasSecondFactors && (await this.#deps.secondFactors.isOn(id))
  }

  /** Passwords and codes of an account are counted together. */
  async #attempt<T>(
    username: string,
    { address }: SessionClient,
    sessionUser: string | undefined,
    compare: () => Promise<T>,
  ): Promise<T> {
    const failureKinds = () => this.#failureKindsFor(username, address, sessionUser)
    return withCounted(
      this.#deps.throttle.attempt(
        { account: accountKey(username), address, failureKinds },
        compare,
      ),
    )
  }

  /** @param identityId of the directory whose password was given; 0: another method */
  async #begin(
    user: StoredUser,
    client: SessionClient,
    verifiedMs: number,
    identityId = 0,
  ): Promise<SignedIn> {
    const { knownNetworks, provisioning, sessions } = this.#deps
    await knownNetworks.add(user.id, client.address)
    await provisioning.createDueHome(user)
    const identity = identityId === 0 ? undefined : { id: identityId, providerSid: '', idToken: '' }
    const token = await sessions.open(user, client, { verifiedMs, identity })
    return { username: user.username, token }
  }

  /**
   * Which failure counters may block this attempt. Users who hold a session, or have signed in from this network, are
   * not blocked by the failures of others. A user on the machine itself is not blocked by failures of the account from
   * other addresses.
   */
  async #failureKindsFor(
    username: string,
    address: string,
    sessionUser: string | undefined,
  ): Promise<readonly FailureKind[]> {
    if (sessionUser === username) return ['pair']
    const user = await this.#deps.users.findByName(username)
    if (user && (await this.#hasSignedInFrom(user.id, address))) return ['pair']
    return isLoopback(address) ? ['pair', 'address'] : ALL_FAILURE_KINDS
  }

  async #hasSignedInFrom(userId: number, address: string): Promise<boolean> {
    const network = networkPrefix(address)
    if (await this.#deps.knownNetworks.has(userId, address)) return true
    return (await this.#deps.sessions.list(userId)).some(
      (session) => networkPrefix(session.address) === network,
    )
  }
}

/**
 * What counts the failures of a name. Directories ignore the case of names and repeated spaces, so no spelling gives further
 * guesses.
 */
export function accountKey(username: string): string {
  return `user ${fold(username)}`
}

/** Counts as a wrong password, which it is on this server; the user gets the fault itself. */
class CountedFault extends Fault {}

/**
 * A directory that does not respond must not allow guesses at passwords of this server.
 *
 * @throws Fault
 */
function asCounted(error: unknown): never {
  if (!isFault(error, 'unavailable')) throw error
  throw new CountedFault('wrongCredentials', error.message, { cause: error })
}

async function withCounted<T>(attempt: Promise<T>): Promise<T> {
  try {
    return await attempt
  } catch (error) {
    throw error instanceof CountedFault ? error.cause : error
  }
}

function ticketExpired(): Fault {
  return new Fault('expired', 'This took too long. Sign in again.', { reason: 'signInExpired' })
}

/** A passkey that is not accepted counts as a wrong password. */
function asWrong(error: unknown): never {
  if (!isFault(error, 'badRequest') || !error.reason) throw error
  throw new Fault('wrongCredentials', error.message, { reason: error.reason, cause: error.cause })
}

/** Behind a proxy or a network translation that hides them, all clients share one counter. */
function oneAddressNotice(address: string): string {
  return `Failed sign-ins from ${address} slow down further ones. All clients seem to come from this one address: is a proxy missing in --trusted-proxies?`
}

function isLoopback(address: string): boolean {
  return address.startsWith('127.') || address === '::1'
}

/** The sign-in options of the operator. */
export function methodSettings({ text }: Config): MethodSettings {
  return {
    // The option allows only these values.
    method: text('auth.method') as AuthMethod,
    header: text('auth.header'),
    command: text('auth.command'),
    captcha: { host: text('recaptcha.host'), secret: text('recaptcha.secret') },
  }
}

function refuseIncomplete({ method, header, command, captcha }: MethodSettings): void {
  if (method === 'proxy' && header === '') {
    throw new Fault(
      'badRequest',
      'Sign-in by proxy needs --auth.header, the header that contains the user name.',
    )
  }
  if (method === 'hook' && command.trim() === '') {
    throw new Fault(
      'badRequest',
      'Sign-in by hook needs --auth.command, the program that verifies the user.',
    )
  }
  if (captcha.secret !== '' && !/^https?:\/\/[^/]/.test(captcha.host)) {
    throw new Fault(
      'badRequest',
      `recaptcha.host must be an address such as https://www.google.com, not "${captcha.host}".`,
    )
  }
}
