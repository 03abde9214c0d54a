/** Signing in, by the method that the operator chose. */
import type { Config } from '#server/config/load.ts'
import { Fault, isFault } from '#wire/fault.ts'
import type { AuthMethod } from '#wire/settings.ts'
import type { Newcomers } from './newcomers.ts'
import type { Caller, Sessions } from './sessions.ts'
import { type Attempt, type MethodSettings, SIGN_IN_METHODS } from './sign-in-methods.ts'
import type { Throttle } from './throttle.ts'
import type { Users } from './users.ts'

interface Staff {
  users: Users
  newcomers: Newcomers
  sessions: Sessions
  throttle: Throttle
}

/** A session, and whose. */
export interface Opened {
  username: string
  token: string
}

export class SignIn {
  readonly settings: MethodSettings
  readonly #staff: Staff

  /** @throws Fault badRequest for a method that lacks what it needs */
  constructor(staff: Staff, settings: MethodSettings) {
    refuseIncomplete(settings)
    this.#staff = staff
    this.settings = settings
  }

  /**
   * Opens a session for whoever the method says is there.
   *
   * @param held whom a token that came along belongs to, if one did
   * @throws Fault wrongCredentials, tooMany, unavailable; others as the method says
   */
  async open(attempt: Attempt, caller: Caller, held?: string): Promise<Opened> {
    const { throttle, sessions } = this.#staff
    const { username } = attempt
    throttle.mayTry(username, caller.address, held === username)
    try {
      const user = await SIGN_IN_METHODS[this.settings.method](attempt, {
        ...this.#staff,
        settings: this.settings,
      })
      throttle.succeeded(username, caller.address)
      return { username: user.username, token: await sessions.open(user, caller) }
    } catch (error) {
      if (isFault(error, 'wrongCredentials')) throttle.failed(username, caller.address)
      throw error
    }
  }
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
