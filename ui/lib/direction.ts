/** Whether the page's direction is right to left. */
export function isRightToLeft(): boolean {
  return globalThis.document?.documentElement.dir === 'rtl'
}
