/** Keeps the screen on: a phone that sleeps stops what is being uploaded. */

let wanted = false
let lock: WakeLockSentinel | undefined

/** From now on the device stays awake while the page is seen, or may sleep again. */
export function stayAwake(on: boolean): void {
  if (on === wanted) return
  wanted = on
  if (on) document.addEventListener('visibilitychange', tune)
  else document.removeEventListener('visibilitychange', tune)
  void tune()
}

/** The browser takes the lock away with the page out of sight, and gives none where it is not secure. */
async function tune(): Promise<void> {
  const isHeld = lock?.released === false
  if (wanted && !isHeld && document.visibilityState === 'visible' && 'wakeLock' in navigator) {
    lock = await navigator.wakeLock.request('screen').catch(() => undefined)
  }
  if (!wanted) await lock?.release()
}
