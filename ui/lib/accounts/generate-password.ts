/** Generates passwords that can be read aloud and typed on phones: no two characters look alike. */

/** 32 characters: each encodes five bits, and all are equally likely. */
const LETTERS = 'abcdefghijkmnpqrstuvwxyz23456789'
const GROUPS = 4
const GROUP_LENGTH = 4

/** 80 random bits, as four groups of letters and digits. */
export function generatePassword(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(GROUPS * GROUP_LENGTH))
  const letters = Array.from(bytes, (byte) => LETTERS[byte % LETTERS.length]).join('')
  return letters.replace(/.{4}(?!$)/g, '$&-')
}
