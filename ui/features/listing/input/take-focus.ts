/**
 * The press of a mouse on the name of an entry focuses its link, but the keys belong to the grid. To be called at the end of
 * the press: a drag would end if the focus moved at its beginning.
 */
export function takeFocus(grid: HTMLElement | null): void {
  const { activeElement } = document
  if (!(activeElement instanceof HTMLAnchorElement) || !grid?.contains(activeElement)) return
  grid.focus({ preventScroll: true })
}
