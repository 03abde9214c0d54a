/** Conversions of File Browser's stored formats (docs/api.md 9.4, 9.5). */
import { type DocumentTree, isTree } from '#server/config/document.ts'
import type { SortKey } from '#wire/api/entry.ts'

/** The stored sort order by name is inverted: `asc: false` is A to Z (docs/api.md 8.5, docs/decisions.md 4). */
export function invertNameOrder<T extends { by: SortKey | ''; asc: boolean }>(sorting: T): T {
  const byName = sorting.by === 'name' || sorting.by === ''
  return byName ? { ...sorting, asc: !sorting.asc } : sorting
}

/** Reads a field without regard to case, because File Browser's YAML files use lower case. */
export function fieldOf(tree: DocumentTree, name: string): unknown {
  const key = Object.keys(tree).find((known) => known.toLowerCase() === name.toLowerCase())
  return key === undefined ? undefined : tree[key]
}

/** Reads a nested table. */
export function branchOf(tree: DocumentTree, name: string): DocumentTree | undefined {
  const value = fieldOf(tree, name)
  return isTree(value) ? value : undefined
}

/** @returns the named fields that exist */
export function fieldsOf(tree: DocumentTree, names: readonly string[]): DocumentTree {
  const fields = names.map((name) => [name, fieldOf(tree, name)] as const)
  return Object.fromEntries(fields.filter(([, value]) => value !== undefined && value !== null))
}
