/** How File Browser writes the things that both of us store (docs/api.md 9.4, 9.5). */
import { isTree, type Tree } from '#server/config/document.ts'
import type { SortKey } from '#wire/entry.ts'

/** Its stored order of names is upside down: `asc: false` is A to Z (docs/api.md 8.5, docs/decisions.md 4). */
export function turnNameOrder<T extends { by: SortKey | ''; asc: boolean }>(sorting: T): T {
  const byName = sorting.by === 'name' || sorting.by === ''
  return byName ? { ...sorting, asc: !sorting.asc } : sorting
}

/** A field by its name, whatever its capitals: its YAML files write every name small. */
export function fieldOf(tree: Tree, name: string): unknown {
  const key = Object.keys(tree).find((known) => known.toLowerCase() === name.toLowerCase())
  return key === undefined ? undefined : tree[key]
}

/** A field that is a tree itself. */
export function branchOf(tree: Tree, name: string): Tree | undefined {
  const value = fieldOf(tree, name)
  return isTree(value) ? value : undefined
}

/** The named fields that are there, under exactly these names. */
export function fieldsOf(tree: Tree, names: readonly string[]): Tree {
  const found = names.map((name) => [name, fieldOf(tree, name)] as const)
  return Object.fromEntries(found.filter(([, value]) => value !== undefined && value !== null))
}
