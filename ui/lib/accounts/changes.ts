/** The changed fields of a form: only they are sent, so that a change of another administrator stays. Pure. */
import { Fault } from '#wire/fault.ts'

/** @returns the fields in which `after` differs from `before`, with their new values */
export function changesBetween<T extends object>(before: T, after: T): Partial<T> {
  // The keys of a form are its fields.
  const fields = Object.keys(after) as (keyof T)[]
  const changed = fields.filter(
    (field) => JSON.stringify(before[field]) !== JSON.stringify(after[field]),
  )
  return Object.fromEntries(changed.map((field) => [field, after[field]])) as Partial<T>
}

/**
 * Refuses a change of a field that someone else has changed to another value meanwhile.
 *
 * @throws Fault precondition
 */
export function refuseConflicts(mine: object, theirs: object): void {
  const changedByThem = new Map(Object.entries(theirs))
  for (const [field, value] of Object.entries(mine)) {
    if (!changedByThem.has(field)) continue
    if (JSON.stringify(changedByThem.get(field)) === JSON.stringify(value)) continue
    throw new Fault('precondition', `${field} was changed by someone else meanwhile.`)
  }
}
