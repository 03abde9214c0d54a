/** Passkeys (WebAuthn level 3): made, used, renamed and removed. */
import {
  type AuthenticationResponseJSON,
  generateAuthenticationOptions,
  generateRegistrationOptions,
  type RegistrationResponseJSON,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
} from '@simplewebauthn/server'
import { randomId } from '#server/db/random-id.ts'
import type { PasskeyRows, StoredPasskey } from '#server/db/rows/passkeys.ts'
import { SERVER_LIMITS } from '#server/lib/server-limits.ts'
import { Fault } from '#wire/fault.ts'
import { LIMITS } from '#wire/limits.ts'
import type { Challenge, ReadChallenge, Tokens } from '../credentials/tokens.ts'
import { INVISIBLE } from '../users/user-checks.ts'
import type { PasskeySite } from './passkey-site.ts'

/** ES256, EdDSA and RS256 (COSE), which are those of all authenticators. */
const ALGORITHMS = [-7, -8, -257]
/** For so long a browser waits for the user, as a challenge is valid. */
const TIMEOUT_MS = 5 * 60_000
/** WebAuthn level 3 section 4: 64 random bytes, without any personal data. */
const HANDLE_BYTES = 64

/** What a browser needs, as JSON (WebAuthn level 3 section 5.1). */
type RegistrationOptions = Awaited<ReturnType<typeof generateRegistrationOptions>>
type SignInOptions = Awaited<ReturnType<typeof generateAuthenticationOptions>>

export class Passkeys {
  readonly #rows: PasskeyRows
  readonly #tokens: Tokens

  constructor(rows: PasskeyRows, tokens: Tokens) {
    this.#rows = rows
    this.#tokens = tokens
  }

  list(userId: number): Promise<StoredPasskey[]> {
    return this.#rows.list(userId)
  }

  find(id: string): Promise<StoredPasskey | undefined> {
    return this.#rows.find(id)
  }

  /** Whether any user has one for a host. */
  hasAny(rpId: string): Promise<boolean> {
    return this.#rows.hasAny(rpId)
  }

  /**
   * What a browser needs to make a passkey.
   *
   * @param session the session that registers it
   * @param issuer the name of the installation, which browsers show
   * @throws Fault tooMany (the user has the most passkeys)
   */
  async beginRegistration(
    user: { id: number; username: string },
    session: string,
    { rpId }: PasskeySite,
    issuer: string,
  ): Promise<RegistrationOptions> {
    const own = await this.#rows.list(user.id)
    refuseFull(own)
    const handle = own[0]?.handle ?? randomId(HANDLE_BYTES)
    return generateRegistrationOptions({
      rpName: issuer,
      rpID: rpId,
      userName: user.username,
      userDisplayName: user.username,
      userID: new Uint8Array(Buffer.from(handle, 'base64url')),
      challenge: await this.#challenge({ purpose: 'register', session, handle }),
      timeout: TIMEOUT_MS,
      attestationType: 'none',
      excludeCredentials: own.map(({ id, transports }) => described(id, transports)),
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
      supportedAlgorithmIDs: ALGORITHMS,
    })
  }

  /**
   * Stores a passkey that a browser has made.
   *
   * @throws Fault badRequest (the name; or the response of the browser is not valid), expired (the challenge), tooMany
   */
  async register(
    userId: number,
    { session, site, name }: { session: string; site: PasskeySite; name: string },
    response: RegistrationResponseJSON,
  ): Promise<StoredPasskey> {
    const shownName = passkeyName(name)
    const challenge = await this.#readChallenge(response, { purpose: 'register', session })
    const { registrationInfo: made } = await verified(() =>
      verifyRegistrationResponse({
        response,
        expectedChallenge: challengeIn(response),
        expectedOrigin: site.origin,
        expectedRPID: site.rpId,
        requireUserVerification: true,
        supportedAlgorithmIDs: ALGORITHMS,
      }),
    )
    if (!made) throw refused()
    const passkey: StoredPasskey = {
      id: made.credential.id,
      userId,
      handle: challenge.handle,
      publicKey: made.credential.publicKey,
      counter: made.credential.counter,
      rpId: site.rpId,
      transports: (made.credential.transports ?? []).filter((word) => /^[a-z-]{1,20}$/.test(word)),
      isSynced: made.credentialBackedUp,
      name: shownName,
      createdMs: Date.now(),
      usedMs: 0,
    }
    await this.#rows.atomically(async () => {
      refuseFull(await this.#rows.list(userId))
      await this.#claim(challenge)
      if (!(await this.#rows.insert(passkey))) throw refused()
    })
    return passkey
  }

  /** What a browser needs for a sign-in without a name: the user chooses one of the passkeys of the browser. */
  async beginSignIn({ rpId }: PasskeySite): Promise<SignInOptions> {
    return generateAuthenticationOptions({
      rpID: rpId,
      challenge: await this.#challenge({ purpose: 'signIn', session: '', handle: '' }),
      timeout: TIMEOUT_MS,
      userVerification: 'required',
    })
  }

  /** What a browser needs to confirm a change of a session with a passkey of its user. */
  async beginVerification(
    userId: number,
    session: string,
    { rpId }: PasskeySite,
  ): Promise<SignInOptions> {
    const own = (await this.#rows.list(userId)).filter((passkey) => passkey.rpId === rpId)
    return generateAuthenticationOptions({
      rpID: rpId,
      challenge: await this.#challenge({ purpose: 'verify', session, handle: '' }),
      timeout: TIMEOUT_MS,
      allowCredentials: own.map(({ id, transports }) => described(id, transports)),
      userVerification: 'required',
    })
  }

  /**
   * Verifies what a passkey has signed, and uses the challenge up.
   *
   * @param expected the challenge; `userId`: whose passkey it must be, undefined: that of any user
   * @throws Fault badRequest with a reason: `passkeyUnknown` (it was removed, or is that of another user),
   *   `passkeyElsewhere` (it belongs to another host), `passkeyRefused`; expired (the challenge)
   */
  async accept(
    response: AuthenticationResponseJSON,
    site: PasskeySite,
    expected: Pick<Challenge, 'purpose' | 'session'> & { userId?: number },
  ): Promise<StoredPasskey> {
    const challenge = await this.#readChallenge(response, expected)
    const passkey = await this.#rows.find(response.id)
    if (!passkey || (expected.userId ?? passkey.userId) !== passkey.userId) throw unknown()
    if (passkey.rpId !== site.rpId) throw elsewhere(passkey.rpId)
    // Authenticators may leave the handle out only if the user is known (WebAuthn level 3 section 7.2).
    const { userHandle = '' } = response.response
    const mayLackHandle = expected.userId !== undefined && userHandle === ''
    if (userHandle !== passkey.handle && !mayLackHandle) throw refused()
    const { verified: isRight, authenticationInfo } = await verified(() =>
      verifyAuthenticationResponse({
        response,
        expectedChallenge: challengeIn(response),
        expectedOrigin: site.origin,
        expectedRPID: site.rpId,
        credential: passkey,
        requireUserVerification: true,
      }),
    )
    if (!isRight) throw refused()
    const { newCounter, credentialBackedUp } = authenticationInfo
    await this.#rows.atomically(async () => {
      await this.#claim(challenge)
      if (!(await this.#rows.use(passkey.id, newCounter, credentialBackedUp))) throw refused()
    })
    return passkey
  }

  /** @throws Fault badRequest (the name) */
  async rename(id: string, name: string): Promise<void> {
    await this.#rows.rename(id, passkeyName(name))
  }

  /** A signed text and not a row, so nothing grows, and any server with the same database accepts it. */
  async #challenge(challenge: Challenge): Promise<Uint8Array<ArrayBuffer>> {
    return new Uint8Array(Buffer.from(await this.#tokens.issueChallenge(challenge)))
  }

  /** @throws Fault expired (it is not one of this purpose and session, or too old) */
  async #readChallenge(
    response: Responded,
    { purpose, session }: Pick<Challenge, 'purpose' | 'session'>,
  ): Promise<ReadChallenge> {
    const text = Buffer.from(challengeIn(response), 'base64url').toString()
    const challenge = await this.#tokens.readChallenge(text)
    if (challenge?.purpose === purpose && challenge.session === session) return challenge
    throw expired()
  }

  /** Called after all else was verified, so that nothing is stored for requests of strangers. @throws Fault expired */
  async #claim({ id, expiresMs }: ReadChallenge): Promise<void> {
    if (!(await this.#rows.claimChallenge(id, expiresMs))) throw expired()
  }
}

/** The part of both kinds of responses that has the challenge. */
interface Responded {
  response: { clientDataJSON: string }
}

/** @returns the challenge that a browser says it was given, in base64url; empty if it says none */
function challengeIn({ response: { clientDataJSON } }: Responded): string {
  try {
    const { challenge } = JSON.parse(Buffer.from(clientDataJSON, 'base64url').toString())
    return typeof challenge === 'string' ? challenge : ''
  } catch {
    return ''
  }
}

/** The library throws an Error for each failed check. @throws Fault badRequest */
async function verified<T>(verify: () => Promise<T>): Promise<T> {
  try {
    return await verify()
  } catch (cause) {
    throw refused(cause)
  }
}

function described(id: string, transports: readonly string[]) {
  // Browsers ignore the transports that they do not know.
  return { id, transports: transports as StoredTransports }
}

type StoredTransports = NonNullable<
  NonNullable<
    Parameters<typeof generateAuthenticationOptions>[0]['allowCredentials']
  >[number]['transports']
>

/** @throws Fault badRequest */
function passkeyName(name: string): string {
  const shownName = name.trim()
  const isTooLong = shownName.length > LIMITS.passkeyNameMax
  if (shownName !== '' && !isTooLong && !INVISIBLE.test(shownName)) return shownName
  throw new Fault(
    'badRequest',
    `The name of a passkey has 1 to ${LIMITS.passkeyNameMax} characters, none of them invisible.`,
    { field: 'name' },
  )
}

/** @throws Fault tooMany */
function refuseFull({ length }: readonly StoredPasskey[]): void {
  if (length < SERVER_LIMITS.passkeysMax) return
  throw new Fault(
    'tooMany',
    `A user has at most ${SERVER_LIMITS.passkeysMax} passkeys. Remove one first.`,
    { reason: 'passkeysFull' },
  )
}

function refused(cause?: unknown): Fault {
  return new Fault('badRequest', 'The passkey was not accepted.', {
    reason: 'passkeyRefused',
    cause,
  })
}

function unknown(): Fault {
  return new Fault('badRequest', 'This passkey was removed here. Sign in in another way.', {
    reason: 'passkeyUnknown',
  })
}

function elsewhere(rpId: string): Fault {
  return new Fault(
    'badRequest',
    `This passkey belongs to the address ${rpId}. Sign in there, or sign in in another way here and add a new passkey.`,
    { reason: 'passkeyElsewhere' },
  )
}

function expired(): Fault {
  return new Fault('expired', 'This took too long. Try again.', { reason: 'signInExpired' })
}
