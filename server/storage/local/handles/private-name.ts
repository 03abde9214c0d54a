/** Reserved names (wire/reserved-names.ts) that the server gives to items that it hides in the folder they are in. */
import { PRIVATE_FOLDER } from '#wire/reserved-names.ts'

/** The folder of unfinished uploads, relative to the served folder. */
export const UPLOADS_FOLDER = `${PRIVATE_FOLDER}/uploads`

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
