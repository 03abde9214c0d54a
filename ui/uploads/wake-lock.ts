/** Keeps the screen on: a phone that sleeps interrupts the upload. */

let wanted = false
let lock: WakeLockSentinel | undefined

/** Keeps the device awake while the page is visible, or allows it to sleep again. */
export function stayAwake(on: boolean): void {
  if (on === wanted) return
  wanted = on
  if (on) document.addEventListener('visibilitychange', tune)
  else document.removeEventListener('visibilitychange', tune)
  void tune()
}

/** The browser releases the lock when the page is hidden, and grants none in an insecure context. */
async function tune(): Promise<void> {
  const isHeld = lock?.released === false
  if (wanted && !isHeld && document.visibilityState === 'visible' && 'wakeLock' in navigator) {
    lock = await navigator.wakeLock.request('screen').catch(() => undefined)
  }
  if (!wanted) await lock?.release()
}
