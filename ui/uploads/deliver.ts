/** Runs one upload task to its end: attempts, delays and retries. */

import { health } from '#ui/api/health.ts'
import { createFolder, stat } from '#ui/api/resources.ts'
import { currentToken } from '#ui/api/token.ts'
import { onHealed } from '#ui/state/connection.ts'
import { session } from '#ui/state/session.ts'
import { settings } from '#ui/state/settings.ts'
import { isFault } from '#wire/fault.ts'
import { abortedBy } from './answer.ts'
import { Interrupted } from './batch.ts'
import { transportFor } from './choose-transport.ts'
import { pause } from './pause.ts'
import {
  type Failures,
  nextStep,
  retryDelays,
  UnreadableFileError,
  UserChangedError,
} from './retry.ts'
import { signedInAgain } from './sign-in.ts'
import { touch } from './signals.ts'
import type { UploadTask } from './tasks.ts'
import type { Attempt, Upload } from './transport.ts'
import { keepUnfinished } from './unfinished.ts'

/** The modification times of some file systems have a precision of two seconds. */
const SAME_TIME_MS = 2000

/**
 * Uploads the task's file, or creates its folder.
 *
 * @throws Fault with the server's reason; aborted; UnreadableFileError; UserChangedError
 */
export async function deliver(task: UploadTask): Promise<void> {
  const delays = retryDelays(settings.TusSettings.retryCount)
  const { signal } = task.abort
  if (session.user && session.user.id !== task.userId) throw new UserChangedError()
  let failures: Failures = { tries: 0, disconnects: 0 }
  for (;;) {
    const acceptedBefore = task.acceptedBytes
    const token = currentToken()
    try {
      return await attempt(task)
    } catch (error) {
      if (signal.aborted) throw abortedBy(signal)
      if (error instanceof Interrupted) continue
      if (task.acceptedBytes > acceptedBefore) failures = { tries: 0, disconnects: 0 }
      const broken = isFault(error, 'unavailable')
      if (broken) await mustBeReadable(task)
      const step = nextStep(error, failures, delays, broken && (await isReachable()))
      if (step.do === 'fail') throw error
      if (step.do === 'signIn') await whileWaiting(task, () => signedInAgain(task, token))
      else if (step.do === 'reconnect') await whileWaiting(task, () => connected(step.ms, signal))
      else await pause(step.ms, signal)
      failures[step.do === 'reconnect' ? 'disconnects' : 'tries'] += 1
    }
  }
}

async function attempt(task: UploadTask): Promise<void> {
  const { upload, attempted } = task
  const noteEntry = (entry: number) => {
    task.entry = entry
  }
  if (!upload) return createFolder(task.path, noteEntry)
  task.attempted = true
  if (attempted && (await isThere(upload))) return
  const { batch } = task
  task.batch = undefined
  const told: Attempt = {
    signal: task.abort.signal,
    settings: settings.TusSettings,
    onStart(acceptedBytes) {
      accept(task, acceptedBytes)
      task.resumedBytes += Math.max(0, acceptedBytes - task.sentBytes)
      show(task, acceptedBytes)
    },
    onSent: (bytes) => show(task, bytes),
    onEntry: noteEntry,
    onAccepted(bytes) {
      accept(task, bytes)
      if (task.userId !== undefined) keepUnfinished(upload, task.userId)
    },
  }
  if (batch) await batch.add(upload, told)
  else await transportFor(upload.file, settings.TusSettings).send(upload, told)
}

/**
 * Whether an attempt has succeeded although its answer was lost. Without this check, the file would be sent twice, or
 * would collide with itself.
 */
async function isThere({ path, file }: Upload): Promise<boolean> {
  try {
    const there = await stat(path)
    const apartMs = Math.abs(new Date(there.modified).getTime() - file.lastModified)
    return !there.isDir && there.size === file.size && apartMs <= SAME_TIME_MS
  } catch (error) {
    if (isFault(error, 'notFound', 'forbidden', 'outside')) return false
    throw error
  }
}

/** A browser reports a file that it can no longer read as a network error. */
async function mustBeReadable({ upload }: UploadTask): Promise<void> {
  try {
    await upload?.file.slice(0, 1).arrayBuffer()
  } catch (cause) {
    throw new UnreadableFileError('', { cause })
  }
}

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
  touch(task)
}

async function whileWaiting(task: UploadTask, wait: () => Promise<void>): Promise<void> {
  task.state = 'waiting'
  touch(task)
  await wait()
  task.state = 'active'
  touch(task)
}

/** Resolves after `ms`, or earlier if any request is answered again. */
async function connected(ms: number, signal: AbortSignal): Promise<void> {
  const healed = Promise.withResolvers<void>()
  const stop = onHealed(healed.resolve)
  await Promise.race([healed.promise, pause(ms, signal)]).finally(stop)
}
