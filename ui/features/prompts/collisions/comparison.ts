/** Compares two entries with the same name. Pure. */
import { UI_LIMITS } from '#ui/lib/limits.ts'
import type { Conflict, ConflictChoice, FileSummary } from '#ui/state/dialogs/prompts.ts'

export type Comparison = 'newer' | 'older' | 'same' | 'folder' | 'differs'

/**
 * Compares the new entry with the existing one, by time and then by size; two folders only by time. `differs`: the times
 * are equal and the sizes are not. `folder`: only one of them is a folder, so neither can replace the other.
 */
export function compareEntries({
  existing,
  incoming,
}: Pick<Conflict, 'existing' | 'incoming'>): Comparison {
  if (existing.isDir !== incoming.isDir) return 'folder'
  const differenceMs = timeOf(incoming) - timeOf(existing)
  if (differenceMs > UI_LIMITS.sameTimeMs) return 'newer'
  if (differenceMs < -UI_LIMITS.sameTimeMs) return 'older'
  return existing.size === incoming.size || existing.isDir ? 'same' : 'differs'
}

/** Whether the new entry can replace the existing one. */
export function isReplaceable(conflict: Conflict): boolean {
  return !conflict.isSibling && conflict.existing.isDir === conflict.incoming.isDir
}

/** Applies one decision to all conflicts. Where the existing entry is not replaceable, `replace` becomes `keepBoth`. */
export function decideAll(
  conflicts: readonly Conflict[],
  decision: ConflictChoice,
): ConflictChoice[] {
  return conflicts.map((conflict) => decideOne(conflict, decision))
}

export function decideOne(conflict: Conflict, decision: ConflictChoice): ConflictChoice {
  return decision === 'replace' && !isReplaceable(conflict) ? 'keepBoth' : decision
}

/** Whether the new file is larger than the existing one, which may be left from an interrupted upload or copy. */
export function mayBePartial({ existing, incoming, isSibling }: Conflict): boolean {
  return !isSibling && !existing.isDir && !incoming.isDir && existing.size < incoming.size
}

/** Resumes an interrupted transfer: only smaller existing files are replaced (docs/api.md 10.2). */
export function resume(conflicts: readonly Conflict[]): ConflictChoice[] {
  return conflicts.map((conflict) => {
    if (conflict.isSibling) return 'keepBoth'
    return mayBePartial(conflict) ? 'replace' : 'skip'
  })
}

/** The default decision: a newer file replaces, an older or equal one is skipped; otherwise both stay. */
export function suggest(conflict: Conflict, mayReplace: boolean): ConflictChoice {
  if (conflict.isSibling) return 'keepBoth'
  const comparison = compareEntries(conflict)
  if (comparison === 'same' || comparison === 'older') return 'skip'
  return comparison === 'newer' && mayReplace ? 'replace' : 'keepBoth'
}

function timeOf({ modified }: FileSummary): number {
  return new Date(modified).getTime()
}
