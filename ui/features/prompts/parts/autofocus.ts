/**
 * A ref for the element that a dialog focuses when it opens. The dialog reads the native attribute; React's own
 * `autoFocus` would set the focus before the dialog is open.
 */
export function autofocus(element: HTMLElement | null): void {
  element?.setAttribute('autofocus', '')
}
