/** The table of all actions: header, menus, help card and keyboard read it. */
import { actionContext } from '#ui/state/action-context.ts'
import { toastError } from '#ui/state/messages/toasts.ts'
import { downloadActions } from './downloads.ts'
import { favouriteActions } from './favourites.ts'
import { fileActions } from './files.ts'
import { findActions } from './find.ts'
import { openActions } from './open.ts'
import { shareActions } from './share.ts'
import { shellActions } from './shell.ts'
import type { Action } from './types.ts'
import { undoActions } from './undo.ts'
import { uploadActions } from './uploads.ts'
import { viewActions } from './view.ts'

const ROWS = [
  ...uploadActions,
  ...fileActions,
  ...downloadActions,
  ...undoActions,
  ...shareActions,
  ...favouriteActions,
  ...openActions,
  ...findActions,
  ...shellActions,
  ...viewActions,
] as const

export type ActionId = (typeof ROWS)[number]['id']

export const actions: readonly Action[] = ROWS

/** @returns the action with this id */
export function actionOf(id: ActionId): Action {
  const action = actions.find((row) => row.id === id)
  if (!action) throw new Error(`No action is called ${id}.`)
  return action
}

/** Runs the action if it is available. A failure becomes a message. */
export async function perform(action: Action, context = actionContext()): Promise<void> {
  if (!action.when(context)) return
  try {
    await action.run(context)
  } catch (error) {
    toastError(error)
  }
}
