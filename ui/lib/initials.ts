/** One or two letters for a user: `mara.lindqvist` is ML. */
export function initialsOf(name: string): string {
  const words = name.split(/[\s._@-]+/u).filter((word) => word !== '')
  const letters = words.slice(0, 2).map((word) => [...word][0] ?? '')
  return letters.join('').toLocaleUpperCase()
}
