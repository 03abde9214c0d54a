/** Shares a limit between users: the user with the most loses first, so no user pushes out what others have. */

/**
 * @param totals what each user has
 * @param limit what all may have together
 * @returns the greatest share for which all users together have no more than the limit; Infinity if nothing exceeds it
 */
export function fairShare(totals: readonly number[], limit: number): number {
  let left = limit
  const sorted = [...totals].sort((a, b) => a - b)
  for (const [index, total] of sorted.entries()) {
    const share = Math.floor(left / (sorted.length - index))
    if (total > share) return Math.max(0, share)
    left -= total
  }
  return Number.POSITIVE_INFINITY
}
