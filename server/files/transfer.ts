/** Copies and moves as requested by a user: refuse, replace, or keep both. */

import type { Scope } from '#server/access/scope.ts'
import { isFault } from '#wire/fault.ts'
import type { TreePath } from '#wire/paths.ts'
import { freePath } from './names.ts'

export interface Transfer {
  action: 'copy' | 'rename'
  from: TreePath
  to: TreePath
  /** Replace an existing file. */
  override: boolean
  /** Use the next free name instead; it takes precedence over `override`. */
  rename: boolean
}

/** How many free names are tried, because another user may take a name before it is used. */
const MAX_TRIES = 16

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
  for (let attempt = 1; ; attempt += 1) {
    const free = await freePath(scope, request.to)
    try {
      await copyOrMove(request.from, free, { overwrite: false })
      return free
    } catch (error) {
      if (!isFault(error, 'conflict') || attempt >= MAX_TRIES) throw error
    }
  }
}
