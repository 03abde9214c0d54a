/** Whether the server is reachable. While it is not, it is probed again and again. */

import { proxy } from 'valtio'
import { health } from '#ui/api/client/health.ts'
import { listenToRequests } from '#ui/api/client/request.ts'
import { UI_LIMITS } from '#ui/lib/limits.ts'

export const connection = proxy<{ isLost: boolean }>({ isLost: false })

type ReconnectListener = () => void

const reconnectListeners = new Set<ReconnectListener>()

/**
 * Runs `listener` each time the connection comes back.
 *
 * @returns a function that removes the listener
 */
export function onReconnect(listener: ReconnectListener): () => void {
  reconnectListeners.add(listener)
  return () => void reconnectListeners.delete(listener)
}

/** Must be called once, when the page starts. */
export function watchConnection(): void {
  listenToRequests({ onUnreachable: markLost, onResponse: markConnected })
  addEventListener('online', probe)
}

/** The number of probes since the connection was lost. */
let tries = 0
let timer: ReturnType<typeof setTimeout> | undefined

function markLost(): void {
  connection.isLost = true
  // A probe is already scheduled: further failures must not delay it.
  if (timer !== undefined) return
  const waitMs = Math.min(UI_LIMITS.retryFirstMs * 2 ** tries, UI_LIMITS.retryCapMs)
  tries += 1
  timer = setTimeout(() => {
    timer = undefined
    probe()
  }, waitMs)
}

/** Sends a request. Its outcome calls `markConnected` or `markLost`, as that of every request does. */
function probe(): void {
  if (connection.isLost) health().catch(() => undefined)
}

function markConnected(): void {
  if (!connection.isLost) return
  clearTimeout(timer)
  timer = undefined
  tries = 0
  connection.isLost = false
  for (const listener of reconnectListeners) listener()
}
