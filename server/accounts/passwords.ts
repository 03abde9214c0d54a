/** Passwords: argon2id for new ones, bcrypt hashes of an import verify too (docs/decisions.md 8). */
import { CONCURRENCY_LIMITS } from '#server/access/concurrency-limits.ts'
import { Semaphore } from '#server/access/semaphore.ts'
import { Fault, type FaultReason } from '#wire/fault.ts'

/** OWASP's first choice for argon2id: 19 MiB, two passes (Password Storage Cheat Sheet). */
const ARGON2 = { algorithm: 'argon2id', memoryCost: 19_456, timeCost: 2 } as const

/** Nobody types more; and no hash should be fed with megabytes. */
const PASSWORD_MAX_BYTES = 1024

/** Each hash holds a core and 19 MiB, and a flood of sign-ins must not pile up. */
const semaphore = new Semaphore(CONCURRENCY_LIMITS.passwords)

/** A hash to store. @throws Fault unavailable when too many are waiting */
export function hashPassword(password: string): Promise<string> {
  return semaphore.run(() => Bun.password.hash(password, ARGON2))
}

/**
 * Whether `password` belongs to `hash`; an empty one never does.
 *
 * @param hash undefined where nobody has this name
 * @param kinds which kinds of hashes people have (`kindOf`). A password that is wrong is compared once
 *   with a hash of each, and so is one of nobody, so that the time tells nothing of a name
 * @throws Fault unavailable when too many are waiting
 */
export async function verifyPassword(
  password: string,
  hash: string | undefined,
  kinds: readonly string[] = [],
): Promise<boolean> {
  if (Buffer.byteLength(password) > PASSWORD_MAX_BYTES) return false
  const own = hash === undefined ? undefined : kindOf(hash)
  return semaphore.run(async () => {
    const right = hash !== undefined && (await isSame(password, hash))
    if (right) return true
    for (const kind of kinds) {
      if (kind !== own) await isSame(password, decoyOf(kind))
    }
    return false
  })
}

/** What decides how long a comparison takes: the beginning of a hash, up to its salt. */
export function kindOf(hash: string): string {
  if (!hash.startsWith('$argon2')) return `$2b$${hash.slice(4, 7)}`
  return `${hash.split('$').slice(0, 4).join('$')}$`
}

/** The kind of hash that new passwords get. */
export const NEW_KIND = `$argon2id$v=19$m=${ARGON2.memoryCost},t=${ARGON2.timeCost},p=1$`

/** Nobody's password, and as costly to compare as any other of its kind. */
function decoyOf(kind: string): string {
  return kind.startsWith('$argon2')
    ? `${kind}${'A'.repeat(43)}$${'A'.repeat(43)}`
    : `${kind}${'.'.repeat(21)}e${'.'.repeat(31)}`
}

/** Never for an empty password: Bun compares none with anything. */
function isSame(password: string, hash: string): Promise<boolean> {
  return Bun.password.verify(password, hash).catch(() => false)
}

/** Whether a stored hash is of an older kind, to be replaced at the next sign-in. */
export function isOutdated(hash: string): boolean {
  return !hash.startsWith('$argon2id$')
}

/**
 * Whether a text is a hash that `verifyPassword` understands, and can compare in bearable time: a
 * bcrypt cost up to 15, argon2 with up to 1 GiB and 32 passes.
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
 * Refuses a password that nobody should choose. The words of the length are part of the contract
 * (1.0.1): clients read the number.
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
