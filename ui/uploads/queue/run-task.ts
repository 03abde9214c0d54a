/** Runs one upload task to its end: attempts, delays and retries. */

import { health } from '#ui/api/client/health.ts'
import { currentToken } from '#ui/api/client/token.ts'
import { createFolder } from '#ui/api/files/resources.ts'
import { onReconnect } from '#ui/state/session/connection.ts'
import { session } from '#ui/state/session/session.ts'
import { settings } from '#ui/state/session/settings.ts'
import { isFault } from '#wire/fault.ts'
import { Interrupted } from '../send/batch.ts'
import { transportFor } from '../send/choose-transport.ts'
import { abortedBy } from '../send/faults.ts'
import { isResumable } from '../send/is-resumable.ts'
import {
  type FailureCounts,
  nextStep,
  retryDelays,
  UnreadableFileError,
  UserChangedError,
} from '../send/retry.ts'
import { isStored } from '../send/stored-file.ts'
import type { Attempt, Upload } from '../send/transport.ts'
import { pause } from './pause.ts'
import { waitForSignIn } from './sign-in.ts'
import { markChanged } from './signals.ts'
import type { UploadTask } from './tasks.ts'
import { storeUnfinished } from './unfinished.ts'

/**
 * Uploads the task's file, or creates its folder.
 *
 * @throws Fault with the server's code (no retry helped), aborted (the user cancelled), unauthenticated (the user
 *   signed out); UnreadableFileError; NotAsSentError; UserChangedError
 */
export async function runTask(task: UploadTask): Promise<void> {
  const delays = retryDelays(settings.TusSettings.retryCount)
  const { signal } = task.abort
  let failures: FailureCounts = { tries: 0, disconnects: 0 }
  for (;;) {
    // Another user may also sign in, in another tab, while the task waits for the connection.
    if (session.user && session.user.id !== task.userId) throw new UserChangedError()
    const acceptedBefore = task.acceptedBytes
    const token = currentToken()
    try {
      return await attempt(task)
    } catch (error) {
      if (signal.aborted) throw abortedBy(signal)
      task.mayBeStored ||= error instanceof Interrupted || isFault(error, 'unavailable', 'internal')
      if (error instanceof Interrupted) continue
      if (task.acceptedBytes > acceptedBefore) failures = { tries: 0, disconnects: 0 }
      const isUnavailable = isFault(error, 'unavailable')
      if (isUnavailable) await checkReadable(task)
      const step = nextStep(error, failures, delays, isUnavailable && (await isReachable()))
      if (step.do === 'fail') throw error
      if (step.do === 'signIn') await whileWaiting(task, () => waitForSignIn(task, token))
      else if (step.do === 'reconnect')
        await whileWaiting(task, () => waitForConnection(step.ms, signal))
      else await pause(step.ms, signal)
      failures[step.do === 'reconnect' ? 'disconnects' : 'tries'] += 1
    }
  }
}

/** Deletes what the server has of an upload that was aborted. */
export async function discard(upload: Upload): Promise<void> {
  await transportFor(upload.file, settings.TusSettings).discard(upload)
}

async function attempt(task: UploadTask): Promise<void> {
  const { upload, wasAttempted, mayBeStored } = task
  const { signal } = task.abort
  const storeJournalEntry = (number: number) => {
    task.entry = number
  }
  if (!upload) return createFolder(task.path, storeJournalEntry)
  task.wasAttempted = true
  // Of a resumable upload, the server itself says whether it is complete.
  const isUncertain = mayBeStored && !isResumable(upload.file, settings.TusSettings)
  if (isUncertain && (await isStored(upload, signal))) return
  task.mayBeStored = false
  const { batch } = task
  task.batch = undefined
  const callbacks: Attempt = {
    signal,
    settings: settings.TusSettings,
    isFirst: !wasAttempted,
    onBegun(begun) {
      upload.begun = begun
      if (task.isStored && task.userId !== undefined) storeUnfinished(upload, task.userId)
    },
    onStart(acceptedBytes) {
      accept(task, acceptedBytes)
      task.resumedBytes += Math.max(0, acceptedBytes - task.sentBytes)
      show(task, acceptedBytes)
    },
    onSent: (bytes) => show(task, bytes),
    onJournalEntry: storeJournalEntry,
    onAccepted(bytes) {
      accept(task, bytes)
      if (task.userId !== undefined) storeUnfinished(upload, task.userId)
    },
  }
  if (batch) await batch.add(upload, callbacks)
  else await transportFor(upload.file, settings.TusSettings).send(upload, callbacks)
}

/**
 * If a browser can no longer read a file, it reports a network error. This check tells the two apart.
 *
 * @throws UnreadableFileError
 */
async function checkReadable({ upload }: UploadTask): Promise<void> {
  try {
    await upload?.file.slice(0, 1).arrayBuffer()
  } catch (cause) {
    throw new UnreadableFileError('', { cause })
  }
}

/** Whether the server responds, with any status except 502, 503 and 504. */
function isReachable(): Promise<boolean> {
  return health().then(
    () => true,
    (error) => !isFault(error, 'unavailable'),
  )
}

function accept(task: UploadTask, bytes: number): void {
  task.acceptedBytes = Math.max(task.acceptedBytes, bytes)
}

function show(task: UploadTask, sentBytes: number): void {
  task.sentBytes = sentBytes
  markChanged(task)
}

/** Shows the task as waiting until `wait` resolves. */
async function whileWaiting(task: UploadTask, wait: () => Promise<void>): Promise<void> {
  task.state = 'waiting'
  markChanged(task)
  await wait()
  task.state = 'active'
  markChanged(task)
}

/** Resolves after `ms`, or earlier if the server is reachable again. */
async function waitForConnection(ms: number, signal: AbortSignal): Promise<void> {
  const reconnected = Promise.withResolvers<void>()
  const stop = onReconnect(reconnected.resolve)
  await Promise.race([reconnected.promise, pause(ms, signal)]).finally(stop)
}
