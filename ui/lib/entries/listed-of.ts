/** The items that a question lists, and the number of the others. At most `most` rows are needed for both. */
export function listedOf<T>(items: readonly T[], most: number): { listed: T[]; hidden: number } {
  const listed = items.slice(0, items.length > most ? most - 1 : most)
  return { listed, hidden: items.length - listed.length }
}
