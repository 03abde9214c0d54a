/** Keeps the screen on: a phone that sleeps interrupts the upload. */

let isWanted = false
let lock: WakeLockSentinel | undefined

/** Keeps the device awake while the page is visible, or allows it to sleep again. */
export function stayAwake(on: boolean): void {
  if (on === isWanted) return
  isWanted = on
  if (on) document.addEventListener('visibilitychange', updateLock)
  else document.removeEventListener('visibilitychange', updateLock)
  void updateLock()
}

/** The browser releases the lock when the page is hidden, and grants none in an insecure context. */
async function updateLock(): Promise<void> {
  const isHeld = lock?.released === false
  if (isWanted && !isHeld && document.visibilityState === 'visible' && 'wakeLock' in navigator) {
    lock = await navigator.wakeLock.request('screen').catch(() => undefined)
  }
  if (!isWanted) await lock?.release()
}
