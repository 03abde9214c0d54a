/** Copies and moves as requested by a user: refuse, replace, or keep both. */

import type { Scope } from '#server/access/scope.ts'
import type { TreePath } from '#wire/paths.ts'
import { makeAtFreePath } from './names.ts'

export interface Transfer {
  action: 'copy' | 'rename'
  from: TreePath
  to: TreePath
  /** Replace an existing file. */
  override: boolean
  /** Use the next free name instead; it takes precedence over `override`. */
  rename: boolean
}

/**
 * @returns the resulting path
 * @throws Fault forbidden, badRequest (into itself), notFound, conflict, noSpace, readOnly
 */
export async function transfer(scope: Scope, request: Transfer): Promise<TreePath> {
  const copyOrMove = request.action === 'copy' ? scope.copy.bind(scope) : scope.move.bind(scope)
  if (!request.rename) {
    await copyOrMove(request.from, request.to, { overwrite: request.override })
    return request.to
  }
  return makeAtFreePath(scope, request.to, async (free) => {
    await copyOrMove(request.from, free, { overwrite: false })
  })
}
