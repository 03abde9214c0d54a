/** Copies and moves as requested by a user: refuse, replace, or keep both. */

import type { Scope } from '#server/access/scope/scope.ts'
import type { TransferRequest } from '#server/access/scope/transfers.ts'
import type { TreePath } from '#wire/paths.ts'
import { isFolderAt, makeAtFreePath } from '../free-name.ts'

export interface Transfer {
  action: 'copy' | 'rename'
  from: TreePath
  to: TreePath
  /** Replace an existing file. */
  override: boolean
  /** Use the next free name instead; it takes precedence over `override`. */
  rename: boolean
  /** Called for a path that a copy leaves out, possibly more than once. */
  leftOut?: TransferRequest['leftOut']
}

/**
 * @returns the resulting path
 * @throws Fault forbidden, badRequest (into itself), notFound, conflict, noSpace, readOnly
 */
export async function transfer(scope: Scope, request: Transfer): Promise<TreePath> {
  const { leftOut } = request
  const copyOrMove = request.action === 'copy' ? scope.copy.bind(scope) : scope.move.bind(scope)
  if (!request.rename) {
    await copyOrMove(request.from, request.to, { overwrite: request.override, leftOut })
    return request.to
  }
  const isFolder = await isFolderAt(scope, request.from)
  return makeAtFreePath(scope, request.to, isFolder, async (free) => {
    await copyOrMove(request.from, free, { overwrite: false, leftOut })
  })
}
