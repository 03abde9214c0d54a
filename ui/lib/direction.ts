/** Whether the page is written from right to left. */
export function isRightToLeft(): boolean {
  return globalThis.document?.documentElement.dir === 'rtl'
}
