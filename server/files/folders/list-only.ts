/** Folders that a rule denies, and that are listed because they lead to an allowed one. */
import type { Scope } from '#server/access/scope/scope.ts'
import type { Node } from '#server/storage/node.ts'
import type { Entry } from '#wire/api/entry.ts'
import { isFault } from '#wire/fault.ts'

/** @returns the mark of such a folder for its entry; nothing for other nodes */
export function listOnlyOf(scope: Scope, { kind, path }: Node): Pick<Entry, 'listOnly'> {
  if (kind !== 'folder' || scope.actor.rules.length === 0) return {}
  try {
    scope.requireVisible(path)
    return {}
  } catch (error) {
    if (isFault(error, 'forbidden')) return { listOnly: true }
    throw error
  }
}
