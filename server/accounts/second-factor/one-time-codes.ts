/** One-time codes (RFC 6238) with the only parameters that all authenticator apps accept. */
import { Secret, TOTP } from 'otpauth'

const PERIOD_S = 30
const DIGITS = 6
/** RFC 4226 section 4 recommends 160 bits. */
const SECRET_BYTES = 20
/** How many steps before and after the present one are accepted, because clocks differ (RFC 6238 section 5.2). */
const WINDOW = 1

/** @returns a random secret in base 32 */
export function newCodeSecret(): string {
  return new Secret({ size: SECRET_BYTES }).base32
}

/**
 * The address for the QR code of a secret.
 *
 * @param issuer the name of the installation, which authenticator apps show
 * @param label the account, which they show too
 */
export function uriOf(secret: string, issuer: string, label: string): string {
  return generatorOf(secret, issuer, label).toString()
}

/**
 * @param nowMs the time in milliseconds since 1970
 * @returns the number of the time step that a code belongs to; undefined if it is wrong
 */
export function stepOf(secret: string, code: string, nowMs: number): number | undefined {
  const delta = generatorOf(secret).validate({ token: code, timestamp: nowMs, window: WINDOW })
  return delta === null ? undefined : Math.floor(nowMs / 1000 / PERIOD_S) + delta
}

function generatorOf(secret: string, issuer = '', label = ''): TOTP {
  return new TOTP({ secret, issuer, label, algorithm: 'SHA1', digits: DIGITS, period: PERIOD_S })
}
