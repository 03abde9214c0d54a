/** Passwords: argon2id for new ones, bcrypt hashes of an import verify too (decisions 8). */
import { BOUNDS } from '#server/access/bounds.ts'
import { Turns } from '#server/access/turns.ts'
import { Fault } from '#wire/fault.ts'

/** OWASP's first choice for argon2id: 19 MiB, two passes (Password Storage Cheat Sheet). */
const ARGON2 = { algorithm: 'argon2id', memoryCost: 19_456, timeCost: 2 } as const

/** Nobody types more; and no hash should be fed with megabytes. */
const PASSWORD_MAX_BYTES = 1024

/** Each hash holds a core and 19 MiB, and a flood of sign-ins must not pile up. */
const turns = new Turns(BOUNDS.passwords)

/** A hash to store. @throws Fault unavailable when too many are waiting */
export function hashPassword(password: string): Promise<string> {
  return turns.run(() => Bun.password.hash(password, ARGON2))
}

/**
 * Whether `password` belongs to `hash`. Without a hash it costs the same time and is false, so that
 * nobody can tell which names exist.
 *
 * @throws Fault unavailable when too many are waiting
 */
export async function verifyPassword(password: string, hash: string | undefined): Promise<boolean> {
  if (Buffer.byteLength(password) > PASSWORD_MAX_BYTES) return false
  const against = hash ?? (await decoy())
  const right = await turns.run(() => Bun.password.verify(password, against).catch(() => false))
  return right && hash !== undefined
}

/** Whether a stored hash is of an older kind, to be replaced at the next sign-in. */
export function isOutdated(hash: string): boolean {
  return !hash.startsWith('$argon2id$')
}

/** Whether a text is a hash that `verifyPassword` understands. */
export function isHash(text: string): boolean {
  return /^\$(argon2(id|i|d)\$v=|2[aby]\$\d\d\$[./A-Za-z0-9]{53}$)/.test(text)
}

/**
 * Refuses a password that nobody should choose. The words of the length are part of the contract
 * (1.0.1): clients read the number.
 *
 * @param minimumLength in characters
 * @throws Fault badRequest
 */
export async function checkPassword(password: string, minimumLength: number): Promise<void> {
  if (password === '') throw new Fault('badRequest', 'password is empty')
  if ([...password].length < minimumLength) {
    throw new Fault('badRequest', `password is too short, minimum length is ${minimumLength}`)
  }
  if (Buffer.byteLength(password) > PASSWORD_MAX_BYTES) {
    throw new Fault(
      'badRequest',
      `password is too long, maximum length is ${PASSWORD_MAX_BYTES} bytes`,
    )
  }
  if (await isCommon(password)) throw new Fault('badRequest', 'password is too easy')
}

async function isCommon(password: string): Promise<boolean> {
  const lower = password.toLowerCase()
  if (new Set(lower).size < 4) return true
  const { dictionary } = await import('@zxcvbn-ts/language-common')
  return dictionary['passwords-common'].includes(lower)
}

let decoyHash: Promise<string> | undefined

function decoy(): Promise<string> {
  decoyHash ??= Bun.password.hash(crypto.randomUUID(), ARGON2)
  return decoyHash
}
