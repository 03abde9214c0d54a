/** What a file system may lack that servers rely on, and what follows for them. */

/** A promise of a file system, which the storage tries. */
export type Promised =
  | 'createsOnce'
  | 'renamesToFree'
  | 'namesOnce'
  | 'exchanges'
  | 'links'
  | 'storesTimes'
  | 'flushesFolders'
  | 'keepsInode'

interface Lack {
  /** Whether several servers lose files without it. One server alone does not. */
  isUnsafe: boolean
  /** What the file system does instead, as the end of a sentence. */
  means: string
}

export const LACKS: Record<Promised, Lack> = {
  createsOnce: {
    isUnsafe: true,
    means: 'a file that must be new can replace one of the same name (O_EXCL)',
  },
  renamesToFree: {
    isUnsafe: true,
    means: 'a rename cannot be refused if the new name is taken (RENAME_NOREPLACE)',
  },
  namesOnce: {
    isUnsafe: true,
    means: 'two files that are made at the same moment can get the same name',
  },
  exchanges: {
    isUnsafe: false,
    means:
      'two names cannot be exchanged (RENAME_EXCHANGE), so of two saves of a file at the same moment one may be lost',
  },
  links: {
    isUnsafe: false,
    means:
      'a file cannot have two names (hard links), so the bytes of a complete upload are copied',
  },
  storesTimes: {
    isUnsafe: false,
    means:
      'times are not stored to the millisecond, so a change in the same second may not be noticed',
  },
  flushesFolders: {
    isUnsafe: false,
    means: 'a folder cannot be flushed, so a power failure may lose the name of a new file',
  },
  keepsInode: {
    isUnsafe: false,
    means: 'a file has another number (inode) after a rename, so Undo may be refused',
  },
}

/** The names that one of two servers made, which make the same names at the same moment. Each name is a number. */
export interface NamesMade {
  /** New files. */
  created: number[]
  /** Renamed files. */
  renamed: number[]
}

/**
 * Compares what two servers have made.
 *
 * @returns what the file system lacks
 */
export function lacksBetween(one: NamesMade, other: NamesMade): Promised[] {
  const isTwice = (made: keyof NamesMade) => one[made].some((name) => other[made].includes(name))
  return isTwice('created') || isTwice('renamed') ? ['namesOnce'] : []
}
