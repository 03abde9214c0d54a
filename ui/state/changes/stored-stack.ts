/** The undo stack of a tab in its session storage: it survives a reload of the page, and ends with the tab. */
/** What a group of changes did, in the words of its message, and what it concerns. */
export interface ChangeInfo {
  /** The text of its message. */
  text: string
  /** The paths that an undo brings back, and those that a redo brings back. */
  before: readonly string[]
  after: readonly string[]
}

export interface StoredStack {
  /** Whose changes they are. */
  userId: number
  past: number[][]
  future: number[][]
  infos: [entry: number, info: ChangeInfo][]
}

const KEY = 'filemgr-undo'

/** If the browser refuses storage, or has too little, nothing is stored. */
export function storeStack(stack: StoredStack | undefined): void {
  try {
    if (stack) sessionStorage.setItem(KEY, JSON.stringify(stack))
    else sessionStorage.removeItem(KEY)
  } catch {
    // The journal still has the changes.
  }
}

/** @returns the stack that this tab has stored for the user; undefined if there is none */
export function storedStack(userId: number): StoredStack | undefined {
  try {
    // Only filemgr writes this key.
    const stored = JSON.parse(sessionStorage.getItem(KEY) ?? 'null') as StoredStack | null
    return stored?.userId === userId ? stored : undefined
  } catch {
    return undefined
  }
}
