/** Copying and moving as a person asks for it: refuse, replace, or keep both. */

import type { Scope } from '#server/access/scope.ts'
import { isFault } from '#wire/fault.ts'
import type { TreePath } from '#wire/paths.ts'
import { freePath } from './names.ts'

export interface Transfer {
  action: 'copy' | 'rename'
  from: TreePath
  to: TreePath
  /** Replace what has the name. */
  override: boolean
  /** Take the next free name instead. Wins over `override`. */
  rename: boolean
}

/** Somebody else may take each free name in the moment it is found. */
const TRIES = 16

/**
 * @returns where the thing is now
 * @throws Fault forbidden, badRequest (into itself), notFound, conflict, noSpace, readOnly
 */
export async function transfer(scope: Scope, request: Transfer): Promise<TreePath> {
  const verb = request.action === 'copy' ? scope.copy.bind(scope) : scope.move.bind(scope)
  if (!request.rename) {
    await verb(request.from, request.to, { overwrite: request.override })
    return request.to
  }
  for (let attempt = 1; ; attempt += 1) {
    const free = await freePath(scope, request.to)
    try {
      await verb(request.from, free, { overwrite: false })
      return free
    } catch (error) {
      if (!isFault(error, 'conflict') || attempt >= TRIES) throw error
    }
  }
}
