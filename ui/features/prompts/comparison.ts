/** Two things of one name, compared: pure. */
import type { Conflict, Decision, FileSummary } from '#ui/state/prompts.ts'

/** File systems keep the time of change to two seconds at worst. */
const SAME_TIME_MS = 2000

export type Comparison = 'newer' | 'older' | 'same' | 'folder' | 'differs'

/** What yours is, beside what is here. `folder`: one of them is a folder, so neither can replace. */
export function compare({ here, own }: Pick<Conflict, 'here' | 'own'>): Comparison {
  if (here.isDir !== own.isDir) return 'folder'
  const apartMs = timeOf(own) - timeOf(here)
  if (apartMs > SAME_TIME_MS) return 'newer'
  if (apartMs < -SAME_TIME_MS) return 'older'
  return here.size === own.size || here.isDir ? 'same' : 'differs'
}

/** Whether yours can take the place of what is here. */
export function isReplaceable(conflict: Conflict): boolean {
  return conflict.here.isDir === conflict.own.isDir
}

/** One decision for all; what cannot be replaced is kept beside. */
export function decideAll(conflicts: readonly Conflict[], decision: Decision): Decision[] {
  return conflicts.map((conflict) => decideOne(conflict, decision))
}

export function decideOne(conflict: Conflict, decision: Decision): Decision {
  return decision === 'replace' && !isReplaceable(conflict) ? 'keepBoth' : decision
}

/** Whether yours is a file with more in it than the one here: an upload or a copy that broke off. */
export function isSmallerHere({ here, own }: Conflict): boolean {
  return !here.isDir && !own.isDir && here.size < own.size
}

/** Goes on with what broke off: only what is smaller here is replaced (docs/api.md 10.2). */
export function resume(conflicts: readonly Conflict[]): Decision[] {
  return conflicts.map((conflict) => (isSmallerHere(conflict) ? 'replace' : 'skip'))
}

/** What most people would choose: the newer one wins, the same one stays as it is. */
export function suggest(conflict: Conflict, mayReplace: boolean): Decision {
  const comparison = compare(conflict)
  if (comparison === 'same' || comparison === 'older') return 'skip'
  return comparison === 'newer' && mayReplace ? 'replace' : 'keepBoth'
}

function timeOf({ modified }: FileSummary): number {
  return new Date(modified).getTime()
}
