/** Whether the server answers. While it does not, it is asked again and again. */

import { proxy } from 'valtio'
import { health } from '#ui/api/health.ts'
import { listenToRequests } from '#ui/api/request.ts'
import { UI_LIMITS } from '#ui/lib/limits.ts'

export const connection = proxy<{ lost: boolean }>({ lost: false })

type HealListener = () => void

const healListeners = new Set<HealListener>()

/** Runs `listener` each time the connection comes back. Returns how to stop. */
export function onHealed(listener: HealListener): () => void {
  healListeners.add(listener)
  return () => healListeners.delete(listener)
}

export function watchConnection(): void {
  listenToRequests({ unreachable: lose, answered: heal })
  addEventListener('online', probe)
}

let tries = 0
let timer: ReturnType<typeof setTimeout> | undefined

function lose(): void {
  connection.lost = true
  clearTimeout(timer)
  const waitMs = Math.min(UI_LIMITS.uploadRetryFirstMs * 2 ** tries, UI_LIMITS.uploadRetryCapMs)
  tries += 1
  timer = setTimeout(probe, waitMs)
}

/** A call that answers heals, one that does not waits longer: `request` tells us which. */
function probe(): void {
  if (connection.lost) health().catch(() => undefined)
}

function heal(): void {
  if (!connection.lost) return
  clearTimeout(timer)
  tries = 0
  connection.lost = false
  for (const listener of healListeners) listener()
}
