/** A benchmark that is ended by a signal leaves no processes and no temporary folders behind. */
import { constants } from 'node:os'
import { removeTemporaryFolders } from '../support/files/tree.ts'
import { childrenOf, isRunning } from '../support/server/process.ts'

/** Servers close their connections within this time. */
const STOP_MAX_MS = 5000
const POLL_MS = 10

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.once(signal, () => {
    // This does not wait asynchronously: the benchmark would continue, fail because its servers end, and exit.
    const children = childrenOf(process.pid).map(Number)
    for (const pid of children) kill(pid, 'SIGTERM')
    const untilMs = performance.now() + STOP_MAX_MS
    while (children.some(isRunning) && performance.now() < untilMs) Bun.sleepSync(POLL_MS)
    for (const pid of children.filter(isRunning)) kill(pid, 'SIGKILL')
    removeTemporaryFolders()
    process.exit(128 + constants.signals[signal])
  })
}

function kill(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch {
    // It has ended.
  }
}
