/** Values in the browser's local storage. If the browser refuses storage, nothing is stored and nothing is found. */

/**
 * Stores a value; undefined deletes it.
 *
 * @returns false if the storage is refused or full: the old value stays
 */
export function remember(key: string, value: unknown): boolean {
  try {
    if (value === undefined) localStorage.removeItem(key)
    else localStorage.setItem(key, JSON.stringify(value))
    return true
  } catch {
    // Storage is refused or full.
    return false
  }
}

/** @returns a stored value; null if there is none */
export function remembered(key: string): unknown {
  try {
    return JSON.parse(localStorage.getItem(key) ?? 'null')
  } catch {
    return null
  }
}

/**
 * @returns stored choices, with defaults for missing ones. They are not validated: only filemgr writes this key, and
 * the worst effect of another value is a misplaced panel or an unusual font size, until the user changes it.
 */
export function rememberedChoices<Choices extends object>(key: string, defaults: Choices): Choices {
  const stored = remembered(key)
  return { ...defaults, ...(typeof stored === 'object' ? stored : {}) }
}

/** @returns a stored list, without elements of the wrong type */
export function rememberedRows<Row>(key: string, isRow: (row: unknown) => row is Row): Row[] {
  const stored = remembered(key)
  return Array.isArray(stored) ? stored.filter(isRow) : []
}
