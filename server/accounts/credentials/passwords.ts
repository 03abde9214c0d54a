/** Password hashes: argon2id for new ones; imported bcrypt hashes are verified too (docs/decisions.md 8). */
import { CONCURRENCY_LIMITS } from '#server/limits/concurrency-limits.ts'
import { Limiter } from '#server/limits/limiter.ts'
import { Fault, type FaultReason } from '#wire/fault.ts'

/** OWASP's first choice for argon2id: 19 MiB, two passes (Password Storage Cheat Sheet). */
const ARGON2 = { algorithm: 'argon2id', memoryCost: 19_456, timeCost: 2 } as const

/** Longer inputs are refused before they are hashed. */
const PASSWORD_MAX_BYTES = 1024

/** Limits parallel hashes, since each uses a core and 19 MiB of memory. */
const comparisons = new Limiter(CONCURRENCY_LIMITS.passwords)

/**
 * @returns the hash to store
 * @throws Fault unavailable if too many are waiting
 */
export function hashPassword(password: string): Promise<string> {
  return comparisons.run(() => Bun.password.hash(password, ARGON2))
}

/**
 * Whether `password` matches `hash`; an empty password never does.
 *
 * @param hash undefined if there is no such user
 * @param kinds the kinds of all stored hashes (`hashKindOf`). A failed attempt, also for an unknown user, compares
 *   with one hash of each kind, so that the time does not reveal whether a name exists.
 * @throws Fault unavailable if too many are waiting
 */
export async function verifyPassword(
  password: string,
  hash: string | undefined,
  kinds: readonly string[] = [],
): Promise<boolean> {
  if (Buffer.byteLength(password) > PASSWORD_MAX_BYTES) return false
  const kindOfHash = hash === undefined ? undefined : hashKindOf(hash)
  return comparisons.run(async () => {
    const matches = hash !== undefined && (await matchesHash(password, hash))
    if (matches) return true
    for (const kind of kinds) {
      if (kind !== kindOfHash) await matchesHash(password, decoyOf(kind))
    }
    return false
  })
}

/** The beginning of a hash up to its salt, which determines the time of a comparison. */
export function hashKindOf(hash: string): string {
  if (!hash.startsWith('$argon2')) return `$2b$${hash.slice(4, 7)}`
  return `${hash.split('$').slice(0, 4).join('$')}$`
}

/** The kind of new hashes. */
export const NEW_HASH_KIND = `$argon2id$v=19$m=${ARGON2.memoryCost},t=${ARGON2.timeCost},p=1$`

/** A hash of no password that takes as long to compare as any other of its kind. */
function decoyOf(kind: string): string {
  return kind.startsWith('$argon2')
    ? `${kind}${'A'.repeat(43)}$${'A'.repeat(43)}`
    : `${kind}${'.'.repeat(21)}e${'.'.repeat(31)}`
}

/** Whether the password has the hash; false for an empty password, which Bun does not accept. */
function matchesHash(password: string, hash: string): Promise<boolean> {
  return Bun.password.verify(password, hash).catch(() => false)
}

/** Whether a stored hash is of an older kind and should be replaced at the next sign-in. */
export function isOutdatedHash(hash: string): boolean {
  return !hash.startsWith('$argon2id$')
}

/**
 * Whether the text is a hash that `verifyPassword` supports with reasonable cost: bcrypt cost up to 15, argon2 up to
 * 1 GiB and 32 passes.
 */
export function isHash(text: string): boolean {
  if (/^\$2[aby]\$(0[4-9]|1[0-5])\$[./A-Za-z0-9]{53}$/.test(text)) return true
  const [, memoryKiB, passes, lanes] =
    /^\$argon2(?:id|i|d)\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$[\w+/]{11,86}\$[\w+/]{16,86}$/.exec(
      text,
    ) ?? []
  return Number(memoryKiB) <= 2 ** 20 && Number(passes) <= 32 && Number(lanes) <= 16
}

/**
 * Refuses a weak password. The message about the length is part of the API (docs/api.md 1.0.1): clients read the
 * number.
 *
 * @param minimumLength in characters
 * @throws Fault badRequest
 */
export async function checkPassword(password: string, minimumLength: number): Promise<void> {
  if (password === '') throw refusal('passwordEmpty', 'password is empty')
  if ([...password].length < minimumLength) {
    const message = `password is too short, minimum length is ${minimumLength}`
    throw refusal('passwordTooShort', message, minimumLength)
  }
  if (Buffer.byteLength(password) > PASSWORD_MAX_BYTES) {
    const message = `password is too long, maximum length is ${PASSWORD_MAX_BYTES} bytes`
    throw refusal('passwordTooLong', message, PASSWORD_MAX_BYTES)
  }
  if (await isCommon(password)) throw refusal('passwordTooEasy', 'password is too easy')
}

function refusal(reason: FaultReason, message: string, length?: number): Fault {
  const params = length === undefined ? {} : { length }
  return new Fault('badRequest', message, { reason, field: 'password', params })
}

async function isCommon(password: string): Promise<boolean> {
  const lower = password.toLowerCase()
  if (new Set(lower).size < 4) return true
  const { dictionary } = await import('@zxcvbn-ts/language-common')
  return dictionary['passwords-common'].includes(lower)
}
