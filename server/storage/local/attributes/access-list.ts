/** Access lists of files and folders (acl(5)), in the form that the kernel stores them in extended attributes. */

/** The names of these attributes: the list of an object, and the one that a folder gives to new entries. */
export const ACCESS_LIST = 'system.posix_acl_access'
export const DEFAULT_LIST = 'system.posix_acl_default'

/** Tags of entries. The first three kinds with a mask are the bits of a mode. */
const OWNER = 0x01
const GROUP = 0x04
const MASK = 0x10
const OTHERS = 0x20
/** The layout: a version, then for each entry a tag, its rights and an id. */
const VERSION_BYTES = 4
const ENTRY_BYTES = 8
const RIGHTS_OFFSET = 2
const ALL_RIGHTS = 0o7

/** The access that a new entry gets from the list of its folder. */
export interface NewAccess {
  /** The permission bits. */
  mode: number
  /** The list; undefined if the mode says the same. */
  list: Uint8Array | undefined
}

/**
 * Computes what the kernel gives to an entry that is created with `mode`: the list of the folder, of which owner, group
 * and others get no right that the mode does not have.
 *
 * @param list the value of `DEFAULT_LIST`
 */
export function newAccess(list: Uint8Array, mode: number): NewAccess {
  const bytes = list.slice()
  const view = new DataView(bytes.buffer)
  const offsets = new Map<number, number>()
  for (let at = VERSION_BYTES; at + ENTRY_BYTES <= bytes.length; at += ENTRY_BYTES) {
    offsets.set(view.getUint16(at, true), at + RIGHTS_OFFSET)
  }
  const limit = (tag: number, rights: number) => {
    const at = offsets.get(tag)
    if (at === undefined) return 0
    view.setUint16(at, view.getUint16(at, true) & rights & ALL_RIGHTS, true)
    return view.getUint16(at, true)
  }
  const owner = limit(OWNER, mode >> 6)
  const group = limit(offsets.has(MASK) ? MASK : GROUP, mode >> 3)
  const others = limit(OTHERS, mode)
  const isMode = [...offsets.keys()].every((tag) => [OWNER, GROUP, OTHERS].includes(tag))
  return { mode: (owner << 6) | (group << 3) | others, list: isMode ? undefined : bytes }
}
