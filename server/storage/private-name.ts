/** Names that are reserved for filemgr servers anywhere in the tree. */

export const PRIVATE_FOLDER = '.filemgr'

/** Characters whose only other spelling is the other case. */
const ASCII = /^[!-~ ]*$/
/** The rest of a reserved name: empty, or a random suffix of an item that is being removed or moved. */
const REST = /^(-[0-9a-f]{24}m?)?[. ]*$/i

/**
 * Whether a name is reserved. Another server may serve a subfolder, so this holds everywhere. All spellings that some
 * file system accepts count: any case, trailing dots or spaces, characters that fold to it, and invisible characters.
 */
export function isPrivateName(name: string): boolean {
  const seen = ASCII.test(name)
    ? name
    : name.normalize('NFKC').replace(/\p{Default_Ignorable_Code_Point}/gu, '')
  return (
    seen.toLowerCase().startsWith(PRIVATE_FOLDER) && REST.test(seen.slice(PRIVATE_FOLDER.length))
  )
}

/** @returns a reserved name for an item in a user's folder while it is removed */
export function doomedName(random: string): string {
  return `${PRIVATE_FOLDER}-${random}`
}

/** @returns a reserved name for an item in a user's folder while it is moved and may have to be restored */
export function asideName(random: string): string {
  return `${doomedName(random)}m`
}

/** Whether a name is of `doomedName` or `asideName`. */
export function isBeside(name: string): boolean {
  return /^\.filemgr-[0-9a-f]{24}m?$/.test(name)
}

/** Whether a name is of `asideName`. */
export function isAsideName(name: string): boolean {
  return isBeside(name) && name.endsWith('m')
}
