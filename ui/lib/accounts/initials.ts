/** One or two letters for a user: `mara.lindqvist` is ML. A name without letters has its first character. */
export function initialsOf(name: string): string {
  const words = name.split(/[\s._@-]+/u).filter((word) => word !== '')
  const initials = (words.length > 0 ? words : [name]).slice(0, 2)
  return initials.map(initialOf).join('')
}

/** The capital letter of ß has two letters; one is shown. */
function initialOf(word: string): string {
  const [first = ''] = word
  return [...first.toLocaleUpperCase()][0] ?? ''
}
