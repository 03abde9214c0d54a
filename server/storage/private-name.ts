/** Names that are reserved for filemgr servers anywhere in the tree. */

export const PRIVATE_FOLDER = '.filemgr'

const DOT = 0x2e
const LAST_ASCII = 0x7f
/** Matches names whose characters have no equivalent except in the other case. */
const ASCII = /^[!-~ ]*$/
/** The end of a reserved name: empty, or a random suffix; then dots and spaces, which some file systems ignore. */
const REST = /^(-[0-9a-f]{24}m?)?[. ]*$/i

/**
 * Whether a name is reserved. Another server may serve a subfolder, so this holds everywhere. All spellings that some
 * file system accepts count: any case, trailing dots or spaces, characters that fold to it, and invisible characters.
 */
export function isPrivateName(name: string): boolean {
  // Fast, since every name of a listing is checked: only a dot or a character outside ASCII can become a dot.
  const first = name.charCodeAt(0)
  if (first <= LAST_ASCII && first !== DOT) return false
  const normalized = ASCII.test(name)
    ? name
    : name.normalize('NFKC').replace(/\p{Default_Ignorable_Code_Point}/gu, '')
  return (
    normalized.toLowerCase().startsWith(PRIVATE_FOLDER) &&
    REST.test(normalized.slice(PRIVATE_FOLDER.length))
  )
}

/** @returns a reserved name for an item that is removed and hidden in the folder that it is in */
export function doomedName(random: string): string {
  return `${PRIVATE_FOLDER}-${random}`
}

/** @returns a reserved name for an item that is moved and hidden in its folder, and is restored after a crash */
export function asideName(random: string): string {
  return `${doomedName(random)}m`
}

/** Whether a name was made by `doomedName` or `asideName`. */
export function isBeside(name: string): boolean {
  return /^\.filemgr-[0-9a-f]{24}m?$/.test(name)
}

/** Whether a name was made by `asideName`. */
export function isAsideName(name: string): boolean {
  return isBeside(name) && name.endsWith('m')
}
