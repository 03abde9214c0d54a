/** Passwords that are read aloud and typed on phones: no letter looks like another. */

/** 32 of them: each stands for five bits, and none is likelier than another. */
const LETTERS = 'abcdefghijkmnpqrstuvwxyz23456789'
const GROUPS = 4
const GROUP_LENGTH = 4

/** 80 random bits, as four groups of letters and digits. */
export function generatePassword(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(GROUPS * GROUP_LENGTH))
  const letters = Array.from(bytes, (byte) => LETTERS[byte % LETTERS.length]).join('')
  return letters.replace(/.{4}(?!$)/g, '$&-')
}
