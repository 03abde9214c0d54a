/** Whether the page's direction is right to left. */
export function isRightToLeft(): boolean {
  return document.documentElement.dir === 'rtl'
}
