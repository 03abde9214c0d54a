/** The context of actions on entries of several folders, such as the results of a search. */
import { type ActionContext, actionContext } from '#ui/state/action-context.ts'
import type { Entry } from '#wire/api/entry.ts'
import { commonFolder, parentPath } from '#wire/paths.ts'

/**
 * The context of an action on found entries: as in a listing of all of them, in the deepest folder that contains the
 * targets.
 */
export function foundContext(targets: readonly Entry[], found: readonly Entry[]): ActionContext {
  return {
    ...actionContext(),
    page: 'folder',
    path: commonFolder(targets.map(({ path }) => parentPath(path))),
    items: found,
    targets,
    cursorEntry: undefined,
    isFinder: true,
    isQuickLook: false,
    viewer: undefined,
    previous: undefined,
    next: undefined,
  }
}
