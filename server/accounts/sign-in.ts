/** Signing in, by the method that the operator chose. */

import { networkOf } from '#server/access/network.ts'
import type { Config } from '#server/config/config.ts'
import { Fault } from '#wire/fault.ts'
import type { AuthMethod } from '#wire/settings.ts'
import type { Kind } from './failures.ts'
import type { Provisioning } from './provisioning.ts'
import type { Caller, Sessions } from './sessions.ts'
import { type Attempt, type MethodSettings, SIGN_IN_METHODS } from './sign-in-methods.ts'
import { ALL_KINDS, type Throttle } from './throttle.ts'
import type { Users } from './users.ts'

interface Deps {
  users: Users
  provisioning: Provisioning
  sessions: Sessions
  throttle: Throttle
}

/** A session, and whose. */
export interface SignedIn {
  username: string
  token: string
}

export class SignIn {
  readonly settings: MethodSettings
  readonly #deps: Deps
  /** Who has signed in from where since the start. */
  readonly #seen = new Set<string>()
  readonly #seenMax: number

  /**
   * @param seenMax so many accounts at addresses are remembered
   * @throws Fault badRequest for a method that lacks what it needs
   */
  constructor(deps: Deps, settings: MethodSettings, seenMax = SEEN_MAX) {
    refuseIncomplete(settings)
    this.#deps = deps
    this.settings = settings
    this.#seenMax = seenMax
  }

  /**
   * Opens a session for whoever the method says is there.
   *
   * @param held whom a token that came along belongs to, if one did
   * @throws Fault wrongCredentials, tooMany, unavailable; others as the method says
   */
  async open(attempt: Attempt, caller: Caller, held?: string): Promise<SignedIn> {
    const { throttle, sessions } = this.#deps
    const { username } = attempt
    const { address } = caller
    const counted = () => this.#countedFor(username, address, held)
    const user = await throttle.attempt({ account: `user ${username}`, address, counted }, () =>
      SIGN_IN_METHODS[this.settings.method](attempt, { ...this.#deps, settings: this.settings }),
    )
    this.#remember(user.id, address)
    await this.#deps.provisioning.welcome(user)
    return { username: user.username, token: await sessions.open(user, caller) }
  }

  /**
   * A flood from elsewhere shuts nobody out who holds a session of the account, or has signed in as
   * it from this address; nor, by the account's own failures, whoever sits at the machine itself.
   */
  #countedFor(username: string, address: string, held: string | undefined): readonly Kind[] {
    if (held === username) return ['pair']
    const user = this.#deps.users.findByName(username)
    if (user && this.#wasHere(user.id, address)) return ['pair']
    return isLoopback(address) ? ['pair', 'address'] : ALL_KINDS
  }

  #wasHere(userId: number, address: string): boolean {
    const network = networkOf(address)
    if (this.#seen.has(`${userId} ${network}`)) return true
    return this.#deps.sessions.list(userId).some((one) => networkOf(one.address) === network)
  }

  #remember(userId: number, address: string): void {
    const key = `${userId} ${networkOf(address)}`
    // Taken out first, so that the order is the order of last use.
    this.#seen.delete(key)
    this.#seen.add(key)
    const [oldest] = this.#seen
    if (oldest !== undefined && this.#seen.size > this.#seenMax) this.#seen.delete(oldest)
  }
}

/** Accounts at addresses: each is a name's number and an address. */
export const SEEN_MAX = 10_000

function isLoopback(address: string): boolean {
  return address.startsWith('127.') || address === '::1'
}

/** What the operator decided about signing in. */
export function methodSettings({ text }: Config): MethodSettings {
  return {
    // The option's choices are these.
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
      'Sign-in by proxy needs --auth.header, the header that names the person.',
    )
  }
  if (method === 'hook' && command.trim() === '') {
    throw new Fault('badRequest', 'Sign-in by hook needs --auth.command, the program that decides.')
  }
  if (captcha.secret !== '' && !/^https?:\/\/[^/]/.test(captcha.host)) {
    throw new Fault(
      'badRequest',
      `recaptcha.host wants an address such as https://www.google.com, not "${captcha.host}".`,
    )
  }
}
