/** What this browser remembers between visits. Where its storage is refused, a value lasts as long as the page. */

/** Remembers a value; undefined forgets it. */
export function remember(key: string, value: unknown): void {
  try {
    if (value === undefined) localStorage.removeItem(key)
    else localStorage.setItem(key, JSON.stringify(value))
  } catch {
    // Refused, or full.
  }
}

/**
 * Choices as they were remembered, and the defaults of those that were not. Only filemgr writes its keys: a foreign
 * value can only misplace a panel.
 */
export function rememberedChoices<Choices extends object>(key: string, defaults: Choices): Choices {
  const stored = read(key)
  return { ...defaults, ...(typeof stored === 'object' ? stored : {}) }
}

/** A list as it was remembered, without what does not look like one of its rows. */
export function rememberedRows<Row>(key: string, isRow: (row: unknown) => row is Row): Row[] {
  const stored = read(key)
  return Array.isArray(stored) ? stored.filter(isRow) : []
}

function read(key: string): unknown {
  try {
    return JSON.parse(localStorage.getItem(key) ?? 'null')
  } catch {
    return null
  }
}
