/** THE table of what a person can do: header, menus, help card and keyboard all read it. */
import { actionContext } from '#ui/state/action-context.ts'
import { toastError } from '#ui/state/toasts.ts'
import { asOneChange } from '#ui/state/undo.ts'
import { downloadActions } from './downloads.ts'
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
  ...openActions,
  ...findActions,
  ...shellActions,
  ...viewActions,
] as const

export type ActionId = (typeof ROWS)[number]['id']

export const actions: readonly Action[] = ROWS

/** The action of this name. */
export function actionOf(id: ActionId): Action {
  const action = actions.find((row) => row.id === id)
  if (!action) throw new Error(`No action is called ${id}.`)
  return action
}

/** Does it, in the situation of this moment, if it can be done. A failure becomes a message. */
export async function perform(action: Action): Promise<void> {
  const context = actionContext()
  if (!action.when(context)) return
  try {
    await asOneChange(() => action.run(context))
  } catch (error) {
    toastError(error)
  }
}
