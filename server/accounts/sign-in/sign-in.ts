/** Sign-in by the configured method. */

import type { Config } from '#server/config/config.ts'
import { networkPrefix } from '#server/lib/network.ts'
import type { AuthMethod } from '#wire/api/settings.ts'
import { Fault } from '#wire/fault.ts'
import type { FailureKind } from '../credentials/failures.ts'
import type { KnownNetworks } from '../credentials/known-networks.ts'
import type { SessionClient, Sessions } from '../credentials/sessions.ts'
import { ALL_FAILURE_KINDS, type Throttle } from '../credentials/throttle.ts'
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
  sessions: Sessions
  throttle: Throttle
  knownNetworks: KnownNetworks
}

/** A new session with its user. */
export interface SignedIn {
  username: string
  token: string
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
      const network = networkPrefix(address)
      const isOnlyOne = this.#deps.sessions
        .list()
        .every((session) => networkPrefix(session.address) === network)
      if (isOnlyOne) log(oneAddressNotice(address))
    })
  }

  /** Whether users sign in with a name and a password. */
  get takesPassword(): boolean {
    return this.settings.method === 'json' || this.settings.method === 'hook'
  }

  /**
   * Creates a session for the user that the method returns.
   *
   * @param sessionUser the user of a valid token in the request, if any
   * @throws Fault wrongCredentials, tooMany (failed attempts), unavailable (too many comparisons wait); others of the
   *   sign-in method
   */
  async open(
    attempt: SignInAttempt,
    client: SessionClient,
    sessionUser?: string,
  ): Promise<SignedIn> {
    const { throttle, sessions } = this.#deps
    const { username, password } = attempt
    // Not counted: it guesses nothing, and any site can make the browsers of others send it.
    if (this.takesPassword && username === '' && password === '') throw wrongCredentials()
    const { address } = client
    const failureKinds = () => this.#failureKindsFor(username, address, sessionUser)
    const user = await throttle.attempt(
      { account: `user ${username}`, address, failureKinds },
      () =>
        SIGN_IN_METHODS[this.settings.method](attempt, { ...this.#deps, settings: this.settings }),
    )
    this.#deps.knownNetworks.add(user.id, address)
    await this.#deps.provisioning.createDueHome(user)
    return { username: user.username, token: await sessions.open(user, client) }
  }

  /**
   * Which failure counters may block this attempt. Users who hold a session, or have signed in from this network, are
   * not blocked by the failures of others. A user on the machine itself is not blocked by failures of the account from
   * other addresses.
   */
  #failureKindsFor(
    username: string,
    address: string,
    sessionUser: string | undefined,
  ): readonly FailureKind[] {
    if (sessionUser === username) return ['pair']
    const user = this.#deps.users.findByName(username)
    if (user && this.#hasSignedInFrom(user.id, address)) return ['pair']
    return isLoopback(address) ? ['pair', 'address'] : ALL_FAILURE_KINDS
  }

  #hasSignedInFrom(userId: number, address: string): boolean {
    const network = networkPrefix(address)
    if (this.#deps.knownNetworks.has(userId, address)) return true
    return this.#deps.sessions
      .list(userId)
      .some((session) => networkPrefix(session.address) === network)
  }
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
