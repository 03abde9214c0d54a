/** Whether the person led the page last by its keys: only then does the keyboard's place need a mark. */

let byKeys = false

globalThis.addEventListener?.('keydown', () => record(true), { capture: true, passive: true })
globalThis.addEventListener?.('pointerdown', () => record(false), { capture: true, passive: true })

/** False for a pointer, and before anything has happened. */
export function isLedByKeys(): boolean {
  return byKeys
}

function record(keys: boolean): void {
  byKeys = keys
}
