/** Toasts: a success disappears after a time, an error stays (docs/specification.md 8). */

import { proxy } from 'valtio'
import { faultText, trashBytesOf } from '#ui/i18n/faults.ts'
import { t } from '#ui/i18n/i18n.ts'
import { UI_LIMITS } from '#ui/lib/limits.ts'
import { isFault } from '#wire/fault.ts'
import { onUserChange, session } from '../session/session.ts'

export interface Toast {
  id: number
  /** The user who was signed in when the toast was added; undefined if there was none. */
  userId: number | undefined
  tone: 'success' | 'error' | 'note'
  text: string
  /** Journal entries that the button undoes. */
  undo: readonly number[]
  /** Whether the program is at fault, so that the project wants to know. */
  isReportable: boolean
  /** Whether what the user deleted takes up the missing space. */
  isOfTrash: boolean
}

/** The newest last. */
export const toasts = proxy<{ shown: Toast[] }>({ shown: [] })

let lastId = 0

/** The next user must not see names of files of this one, nor undo their changes. */
onUserChange((user) => {
  toasts.shown = toasts.shown.filter(({ userId }) => userId === undefined || userId === user?.id)
})

/**
 * Reports a success, for four seconds, or for ten if it can be undone.
 *
 * @returns the id of the toast
 */
export function toastSuccess(text: string, undo: readonly number[] = []): number {
  const id = add('success', text, undo)
  setTimeout(() => dismissToast(id), undo.length > 0 ? UI_LIMITS.undoToastMs : UI_LIMITS.toastMs)
  return id
}

/** Says something that the user may want to know, for ten seconds. */
export function toastNote(text: string): void {
  const id = add('note', text)
  setTimeout(() => dismissToast(id), UI_LIMITS.undoToastMs)
}

/** A toast that says how far something is, from the first text to the end. */
export function toastProgress(): { show(text: string): void; end(): void } {
  let id: number | undefined
  return {
    show(text) {
      const toast = toasts.shown.find((one) => one.id === id)
      if (toast) toast.text = text
      else id ??= add('note', text)
    },
    end() {
      if (id !== undefined) dismissToast(id)
    },
  }
}

/**
 * Reports an error until the user dismisses it. Aborted requests are not reported.
 *
 * @param name the name of the entry that the error is about
 */
export function toastError(error: unknown, name?: string): void {
  if (isFault(error, 'aborted')) return
  const reason = typeof error === 'string' ? error : faultText(error)
  const text = name ? t('toasts.about', { name, what: reason }) : reason
  // A refusal, such as a missing permission, is no defect.
  const isReportable = typeof error !== 'string' && (!isFault(error) || error.code === 'internal')
  add('error', text, [], { isReportable, isOfTrash: trashBytesOf(error) > 0 })
}

export function dismissToast(id: number): void {
  const index = toasts.shown.findIndex((toast) => toast.id === id)
  if (index >= 0) toasts.shown.splice(index, 1)
}

/** Removes the toasts that offer to undo these changes, because they are undone. */
export function dismissUndone(changes: readonly number[]): void {
  toasts.shown = toasts.shown.filter(
    ({ undo }) => undo.length === 0 || !undo.every((id) => changes.includes(id)),
  )
}

/**
 * Adds a toast and removes the oldest beyond the limit. The same error is not shown twice.
 *
 * @returns the id of the toast; for an error that is already shown, the id of its toast
 */
function add(
  tone: Toast['tone'],
  text: string,
  undo: readonly number[] = [],
  { isReportable = false, isOfTrash = false } = {},
): number {
  const same = toasts.shown.find((toast) => tone === 'error' && toast.text === text)
  if (same) return same.id
  lastId += 1
  toasts.shown.push({
    id: lastId,
    userId: session.user?.id,
    tone,
    text,
    undo: [...undo],
    isReportable,
    isOfTrash,
  })
  toasts.shown.splice(0, toasts.shown.length - UI_LIMITS.toastsMax)
  return lastId
}
