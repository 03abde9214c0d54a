/** Distinguished names of a directory (RFC 4514): only what is needed to compare them and to name groups. */

/** One part of a name, such as `cn=family`. */
interface NamePart {
  /** In lower case, for comparisons. */
  key: string
  /** The value as it is written, without its escapes. */
  value: string
}

/**
 * @returns the parts of a name, the most specific one first
 * @throws Error if it is not valid
 */
export function parseName(text: string): NamePart[] {
  if (text.trim() === '') return []
  return splitAt(text, /[,;]/).map((part) => {
    const pairs = splitAt(part, /\+/).map((pair) => {
      const end = pair.indexOf('=')
      if (end < 1) throw new Error(`There is no attribute in ${JSON.stringify(part)}.`)
      return { type: pair.slice(0, end).trim(), value: unescaped(pair.slice(end + 1)) }
    })
    const keys = pairs.map(({ type, value }) => JSON.stringify([fold(type), fold(value)]))
    return { key: keys.toSorted().join('+'), value: pairs[0]?.value ?? '' }
  })
}

/**
 * The name of an entry directly below a base.
 *
 * @returns the value of its first part; undefined if it is elsewhere, where others may create entries
 */
export function nameDirectlyBelow(name: string, base: string): string | undefined {
  const [first, ...above] = keysOf(name)
  if (first === undefined || above.join(',') !== keysOf(base).join(',')) return undefined
  return parseName(name)[0]?.value
}

/** Directories ignore the case of names, and repeated spaces. */
export function fold(text: string): string {
  return text.normalize('NFKC').trim().replace(/\s+/g, ' ').toLowerCase()
}

/** @returns an empty list for a name that is not valid: it is not below any base */
function keysOf(name: string): string[] {
  try {
    return parseName(name).map(({ key }) => key)
  } catch {
    return []
  }
}

/** Splits at characters that have no backslash before them and are not in quotes. */
function splitAt(text: string, separator: RegExp): string[] {
  const parts = ['']
  for (let at = 0, isQuoted = false; at < text.length; at += 1) {
    const char = text.charAt(at)
    if (char === '"') isQuoted = !isQuoted
    const isSeparator = !isQuoted && separator.test(char)
    if (isSeparator) parts.push('')
    else if (char === '\\') {
      parts.push(`${parts.pop() ?? ''}${char}${text.charAt(at + 1)}`)
      at += 1
    } else parts.push((parts.pop() ?? '') + char)
  }
  return parts
}

/** Section 2.4: a backslash stands before a character, or before the two digits of a byte. */
function unescaped(value: string): string {
  const bytes: Buffer[] = []
  const text = value.trim().replace(/^"(.*)"$/s, '$1')
  for (const [match] of text.matchAll(/\\[\da-f]{2}|\\?./gis)) {
    const isByte = /^\\[\da-f]{2}$/i.test(match)
    bytes.push(isByte ? Buffer.from(match.slice(1), 'hex') : Buffer.from(match.replace(/^\\/, '')))
  }
  return Buffer.concat(bytes).toString()
}
