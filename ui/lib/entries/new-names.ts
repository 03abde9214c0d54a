/** New names for several selected entries: computed, checked before anything is renamed, and in a safe order. */
import type { Entry } from '#wire/api/entry.ts'
import { nameKey } from '#wire/fold.ts'
import { stemLength } from '#wire/free-names.ts'
import { findTypedNameProblem, freeName, type TypedNameProblem } from './usable-names.ts'

/** How several entries are renamed. */
export type Renaming =
  /** Replaces every occurrence of `find` in the whole name. */
  | { kind: 'replace'; find: string; replacement: string }
  /** Adds a text before the name, or after it and before the extension. */
  | { kind: 'add'; text: string; position: 'before' | 'after' }
  /** Names the entries `base` with a number, in their order. The extension stays. */
  | { kind: 'number'; base: string; first: number }

export interface NewName {
  entry: Entry
  name: string
  /** `twice`: several entries would get this name. */
  problem?: TypedNameProblem | 'taken' | 'twice' | undefined
}

/** One request: an entry gets a name. */
export interface RenameStep {
  entry: Entry
  from: string
  to: string
}

/** Renames that depend on each other, in their order. */
export interface RenameGroup {
  steps: readonly RenameStep[]
  /** Whether the names are exchanged: one entry first gets a temporary name. */
  isCycle: boolean
}

/** The names of all entries of the folder, and whether it ignores their case. */
export interface Siblings {
  names: readonly string[]
  foldsCase: boolean
}

/** Whether one of the siblings has this name, possibly in another spelling. */
export function isTakenAmong({ names, foldsCase }: Siblings, name: string): boolean {
  const key = nameKey(name, foldsCase)
  return names.some((taken) => nameKey(taken, foldsCase) === key)
}

/** Applies the renaming to each entry. */
export function newNames(
  entries: readonly Entry[],
  renaming: Renaming,
  { names: siblings, foldsCase }: Siblings,
): NewName[] {
  const keyOf = (name: string) => nameKey(name, foldsCase)
  const width = renaming.kind === 'number' ? String(renaming.first + entries.length - 1).length : 0
  const named = entries.map((entry, index) => ({
    entry,
    name: nameBy(
      renaming,
      entry,
      String(index + (renaming.kind === 'number' ? renaming.first : 0)),
      width,
    ),
  }))
  const selected = new Set(entries.map(({ name }) => name))
  const taken = new Set(siblings.filter((name) => !selected.has(name)).map(keyOf))
  const counts = new Map<string, number>()
  for (const { name } of named) counts.set(keyOf(name), (counts.get(keyOf(name)) ?? 0) + 1)
  return named.map(({ entry, name }) => {
    if (name === entry.name) return { entry, name }
    // As for one entry: a name of only spaces counts as empty.
    const invalid = findTypedNameProblem(name.trim()) ?? findTypedNameProblem(name)
    const isTwice = (counts.get(keyOf(name)) ?? 0) > 1
    return {
      entry,
      name,
      problem: invalid ?? ((taken.has(keyOf(name)) ? 'taken' : isTwice && 'twice') || undefined),
    }
  })
}

/**
 * The renames in an order in which no name is taken when it is needed: `2` becomes `3` before `1` becomes `2`. If two
 * entries exchange their names, one of them first gets a temporary name.
 *
 * @returns groups that can run at the same time
 */
export function renameGroups(
  names: readonly NewName[],
  { names: siblings, foldsCase }: Siblings,
): RenameGroup[] {
  const keyOf = (name: string) => nameKey(name, foldsCase)
  const changed = names.filter(({ entry, name }) => name !== entry.name)
  const byOldKey = new Map(changed.map((one) => [keyOf(one.entry.name), one]))
  const wantedKeys = new Set(changed.map(({ name }) => keyOf(name)))
  const used = new Set([...siblings.map(keyOf), ...wantedKeys])
  // An entry whose old name no other entry gets begins a chain. The others are in cycles.
  const starts = changed.filter(({ entry }) => !wantedKeys.has(keyOf(entry.name)))
  const groups: RenameGroup[] = []
  for (const start of [...starts, ...changed]) {
    const chain = takeChain(start, byOldKey, keyOf)
    if (chain.length === 0) continue
    // The last entry of the chain has a free name, so it is the first to be renamed.
    const steps = chain.map(toStep).reverse()
    const first = steps[0]
    const last = steps.at(-1)
    // One entry that changes only the spelling of its name needs no other name first.
    const isCycle =
      first !== undefined &&
      last !== undefined &&
      first !== last &&
      keyOf(first.to) === keyOf(last.from)
    if (!isCycle) groups.push({ steps, isCycle })
    else {
      const isTaken = (name: string) => used.has(keyOf(name))
      const temporary = freeName(last.from, isTaken, last.entry.isDir)
      used.add(keyOf(temporary))
      const before = { ...last, to: temporary }
      const after = { ...last, from: temporary }
      groups.push({ steps: [before, ...steps.slice(0, -1), after], isCycle })
    }
  }
  return groups
}

/** Removes an entry, the entry whose name it gets, and so on. @returns them in this order */
function takeChain(
  start: NewName,
  byOldKey: Map<string, NewName>,
  keyOf: (name: string) => string,
): NewName[] {
  const chain: NewName[] = []
  for (let next: NewName | undefined = start; next; next = byOldKey.get(keyOf(next.name))) {
    if (!byOldKey.delete(keyOf(next.entry.name))) break
    chain.push(next)
  }
  return chain
}

function toStep({ entry, name }: NewName): RenameStep {
  return { entry, from: entry.name, to: name }
}

function nameBy(renaming: Renaming, { name, isDir }: Entry, number: string, width: number): string {
  if (renaming.kind === 'replace') {
    return renaming.find === '' ? name : name.replaceAll(renaming.find, () => renaming.replacement)
  }
  const stemEnd = isDir ? name.length : stemLength(name)
  const extension = name.slice(stemEnd)
  if (renaming.kind === 'number')
    return `${renaming.base}${number.padStart(width, '0')}${extension}`
  if (renaming.position === 'before') return `${renaming.text}${name}`
  return `${name.slice(0, stemEnd)}${renaming.text}${extension}`
}
