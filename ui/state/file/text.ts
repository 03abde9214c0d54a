/** The text that is open in the editor: its state, and what actions do with it. */

import { proxy } from 'valtio'
import { subscribeKey } from 'valtio/utils'
import type { Fault } from '#wire/fault.ts'
import type { TreePath } from '#wire/paths.ts'
import { guardPage } from '../dialogs/navigation-guard.ts'
import { ask } from '../dialogs/prompts.ts'
import { session } from '../session/session.ts'

interface Text {
  /** The file that is open in the editor. */
  path: TreePath | null
  /** The initial text of the editor, and the text of the file; null until they are loaded. A `ref`. */
  start: { text: string; saved: string } | null
  /** Why the file cannot be read. */
  error: Fault | null
  /** Whether the text has unsaved changes. */
  isDirty: boolean
  /** Whether a save is running. */
  isSaving: boolean
  /** Why the last save failed. */
  fault: Fault | null
  /** A label of the Encoding standard. */
  encoding: string
  /** Whether saving would change bytes that were not edited. The file is read-only until the user confirms that. */
  isLossy: boolean
  /** Whether the encoding is only probable. */
  isGuess: boolean
  /** The number of places with bytes that are not valid in the encoding. */
  damaged: number
}

/** No text is open. */
export const NO_TEXT: Text = {
  path: null,
  start: null,
  error: null,
  isDirty: false,
  isSaving: false,
  fault: null,
  encoding: 'utf-8',
  isLossy: false,
  isGuess: false,
  damaged: 0,
}

export const text = proxy<Text>({ ...NO_TEXT })

/** The functions of the editor for actions. They are not part of the first page. */
interface OpenEditor {
  find(): void
  goToLine(): void
  save(): Promise<boolean>
}

let editor: OpenEditor | undefined
let leaving: Promise<boolean> | undefined

subscribeKey(text, 'isDirty', (isDirty) => guardPage(isDirty ? mayLeave : undefined), true)

/** Called when the editor is mounted and unmounted. */
export function setOpenEditor(opened: OpenEditor | undefined): void {
  editor = opened
}

export function findInText(): void {
  editor?.find()
}

export function goToLine(): void {
  editor?.goToLine()
}

/**
 * Saves the text.
 *
 * @returns true if the file now contains the text; after a failure `text.fault` has the reason
 */
export async function saveText(): Promise<boolean> {
  return (await editor?.save()) ?? false
}

/** Whether the page may be left. Asks the user if there are unsaved changes. */
export function mayLeave(): Promise<boolean> {
  leaving ??= decide().finally(() => {
    leaving = undefined
  })
  return leaving
}

/** From now on the text has no unsaved changes: they were discarded, or saved to another file. */
export function discardChanges(): void {
  text.isDirty = false
}

/** Asks what happens to unsaved changes. @returns true if the page may be left */
async function decide(): Promise<boolean> {
  if (!text.path || !text.isDirty || !session.user) return true
  const choice = await ask({ name: 'discardEditorChanges', file: text.path })
  if (choice === 'save') return saveText()
  if (choice === 'discard') discardChanges()
  return choice === 'discard'
}
