/**
 * A ref for what a dialog focuses when it opens. The dialog reads the native attribute;
 * React's own `autoFocus` would focus before the dialog is there.
 */
export function autofocus(element: HTMLElement | null): void {
  element?.setAttribute('autofocus', '')
}
