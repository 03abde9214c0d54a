/** The names that belong to filemgr servers and not to people, anywhere in the tree. */

export const PRIVATE_FOLDER = '.filemgr'

/** Characters that fold to nothing but their own other case. */
const ASCII = /^[!-~ ]*$/
/** After the private name: nothing, or what tells apart the things that are being removed or moved. */
const REST = /^(-[0-9a-f]{24}m?)?[. ]*$/i

/**
 * Whether a name is reserved: another server may serve a folder further down. In every spelling that some
 * file system takes for it: in any case, with dots or blanks at the end, with characters that fold to it or
 * that nobody sees.
 */
export function isPrivateName(name: string): boolean {
  const seen = ASCII.test(name)
    ? name
    : name.normalize('NFKC').replace(/\p{Default_Ignorable_Code_Point}/gu, '')
  return (
    seen.toLowerCase().startsWith(PRIVATE_FOLDER) && REST.test(seen.slice(PRIVATE_FOLDER.length))
  )
}

/** A private name for something in a people's folder, while it is removed. */
export function goingName(random: string): string {
  return `${PRIVATE_FOLDER}-${random}`
}

/** A private name for something in a people's folder, while it is moved away and may have to come back. */
export function asideName(random: string): string {
  return `${goingName(random)}m`
}

/** Whether a name is one that `goingName` or `asideName` gives. */
export function isBeside(name: string): boolean {
  return /^\.filemgr-[0-9a-f]{24}m?$/.test(name)
}

/** Whether it is one that `asideName` gives. */
export function isAsideName(name: string): boolean {
  return isBeside(name) && name.endsWith('m')
}
