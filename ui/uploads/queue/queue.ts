/** The upload queue: at most five transfers at once, in the background. */

import type { FilePick } from '#ui/lib/gestures/read-files.ts'
import { UI_LIMITS } from '#ui/lib/limits.ts'
import { mapYielding, nextTask } from '#ui/lib/map-yielding.ts'
import { reportUploaded } from '#ui/state/changes/uploaded.ts'
import { setFolderEventsPaused } from '#ui/state/folder/folder-events.ts'
import { listing, preselect, reloadListing } from '#ui/state/folder/listing.ts'
import { selection } from '#ui/state/folder/selection.ts'
import { session } from '#ui/state/session/session.ts'
import { isFault } from '#wire/fault.ts'
import { isInside, nameOf, parentPath, segmentsOf, type TreePath } from '#wire/paths.ts'
import { isSmall, UploadBatch } from '../send/batch.ts'
import type { Upload } from '../send/transport.ts'
import type { planUpload as PlanUpload } from './collisions.ts'
import { groupOf } from './groups.ts'
import { findTask, finishTasks, markChanged, showTasks, unsettledTasks } from './signals.ts'
import { deleteStored, storeResumable } from './stored-task.ts'
import { createTask, isSettled, type TaskState, type UploadTask } from './tasks.ts'
import { isUploading } from './uploading-rows.ts'
import { stayAwake } from './wake-lock.ts'

export { pickFiles, pickFolder, takePhoto } from '../choose/pick.ts'

/**
 * Uploads the files to `folder`: asks once about name collisions, creates the folders, then sends the files. Resolves
 * when all tasks have settled; the panel shows the failures. Does nothing if the user changes before the first task.
 *
 * @throws Fault if the destination cannot be listed
 */
export async function uploadFiles(picks: readonly FilePick[], folder: TreePath): Promise<void> {
  const tasks = await oneAtATime(() => addTasks(picks, folder))
  if (!tasks) return
  await nextTask()
  await enqueue(tasks.folders)
  await enqueue(tasks.files)
}

/** The last plan. A plan starts when the tasks of the one before it are known, so that it sees their names as taken. */
let lastPlan: Promise<unknown> = Promise.resolve()

function oneAtATime<Result>(plan: () => Promise<Result>): Promise<Result> {
  const result = lastPlan.then(plan)
  lastPlan = result.catch(() => undefined)
  return result
}

interface NewTasks {
  folders: UploadTask[]
  files: UploadTask[]
}

/** Plans the upload and shows its tasks. @returns undefined if the user cancels, or if another user has signed in */
async function addTasks(
  picks: readonly FilePick[],
  folder: TreePath,
): Promise<NewTasks | undefined> {
  const userId = session.user?.id
  const plan = await planUpload(picks, folder)
  if (!plan) return undefined
  const taskOf = (path: TreePath, upload: Upload | null = null) =>
    createTask({
      path,
      upload,
      userId,
      group: upload ? groupOf(path, folder) : undefined,
    })
  const folders = plan.folders.map((path) => taskOf(path))
  await waitUntilReadable(plan.uploads[0]?.file)
  const files = await mapYielding(plan.uploads, (upload) => taskOf(upload.path, upload))
  const unreadable = plan.unreadable.map(({ path, isDir, error }) => {
    // A folder of which a part is missing is the row of this folder, too.
    const group = groupOf(path, folder) ?? (isDir ? path : undefined)
    const task = createTask({ path, upload: null, isDir, userId, group })
    return Object.assign(task, { state: 'failed', error } as const)
  })
  // Another user may have signed in meanwhile.
  if (session.user?.id !== userId) return undefined
  showTasks([...folders, ...files, ...unreadable])
  return { folders, files }
}

/**
 * A browser that has just received thousands of files does not respond to requests about them for a while. Reading one
 * file waits for that without blocking the page; whether it is readable is checked later.
 */
async function waitUntilReadable(file: File | undefined): Promise<void> {
  await file
    ?.slice(0, 1)
    .arrayBuffer()
    .catch(() => undefined)
}

/** Resumes uploads of an earlier page. Their destinations were decided then. */
export async function resumeUploads(uploads: readonly Upload[]): Promise<void> {
  const tasks = uploads.map((upload) =>
    createTask({ path: upload.path, upload, userId: session.user?.id, isStored: true }),
  )
  if (tasks.length === 0) return
  showTasks(tasks)
  await enqueue(tasks)
}

/** Cancels one upload and deletes its partial content on the server. */
export function abortUpload(id: number): void {
  const task = findTask(id)
  if (task) abort(task)
}

/** Cancels all unfinished uploads of a folder. */
export function abortGroup(group: TreePath): void {
  for (const task of unsettledTasks()) if (task.group === group) abort(task)
}

export function abortAll(): void {
  for (const task of unsettledTasks()) abort(task)
}

/**
 * Retries a failed upload; it resumes at the offset of the server. If its name is taken by then, the user decides.
 *
 * @throws Fault if the destination cannot be listed
 */
export async function retryUpload(id: number): Promise<void> {
  const task = findTask(id)
  if (task?.state !== 'failed') return
  const retried = await oneAtATime(() => addRetried(task))
  if (retried) await enqueue([retried])
}

/** @returns the task to run; undefined if the user skips the file or cancels */
async function addRetried(task: UploadTask): Promise<UploadTask | undefined> {
  const isTaken =
    isFault(task.error, 'conflict') || unsettledTasks().some(({ path }) => path === task.path)
  const retried = isTaken ? await planAgain(task) : task
  // The user may have retried the upload while the dialog was open.
  if (!retried || task.state !== 'failed') return undefined
  if (retried !== task) removeFailed(task)
  Object.assign(retried, { state: 'queued', error: undefined, abort: new AbortController() })
  showTasks(retried === task ? [] : [retried])
  return retried
}

/**
 * Plans the destination of the file again.
 *
 * @returns the task with the new destination; undefined if the user skips the file or cancels
 */
async function planAgain(task: UploadTask): Promise<UploadTask | undefined> {
  const { path, upload, userId, group } = task
  if (!upload) return task
  const pick = { file: upload.file, path: nameOf(path), isDir: false }
  const plan = await planUpload([pick], parentPath(path))
  const [planned] = plan?.uploads ?? []
  if (plan && !planned) {
    removeFailed(task)
    showTasks([])
    startNext()
  }
  if (!planned) return undefined
  const newUpload = { ...planned, relativePath: upload.relativePath }
  return createTask({ path: newUpload.path, upload: newUpload, userId, group })
}

/** Loaded with the first upload, and with it what the upload needs next. */
async function planUpload(
  picks: readonly FilePick[],
  folder: TreePath,
): ReturnType<typeof PlanUpload> {
  const [{ planUpload }] = await Promise.all([import('./collisions.ts'), loadRunner()])
  const running = unsettledTasks().map(({ path, upload }) => ({
    path,
    file: upload?.file ?? null,
    isDir: upload === null,
  }))
  return planUpload(picks, folder, running)
}

const loadRunner = () => import('./run-task.ts')

/** Removes a failed upload from the panel. */
function removeFailed(task: UploadTask): void {
  deleteStored(task)
  change(task, 'aborted')
}

interface Pending {
  task: UploadTask
  settled(): void
}

const pending: Pending[] = []
let running = 0

/** Resolves when all of `tasks` have settled. */
async function enqueue(tasks: readonly UploadTask[]): Promise<void> {
  const ends = tasks.map((task) => new Promise<void>((settled) => pending.push({ task, settled })))
  addEventListener('beforeunload', preventUnload)
  isUploading.value = true
  setFolderEventsPaused(true)
  stayAwake(true)
  startNext()
  await Promise.all(ends)
}

function startNext(): void {
  while (running < UI_LIMITS.concurrentUploads) {
    const group = nextGroup()
    if (group.length === 0) break
    running += 1
    void runGroup(group).finally(() => {
      running -= 1
      startNext()
    })
  }
  if (running === 0 && unsettledTasks().length === 0) void finish()
}

/** Removes the tasks of the next transfer from the queue: one file, one folder, or a batch of small files in a row. */
function nextGroup(): Pending[] {
  let [count, bytes] = [0, 0]
  for (const { task } of pending) {
    if (!mayShareRequest(task) || count >= UI_LIMITS.batchFilesMax) break
    bytes += task.sizeBytes
    if (bytes > UI_LIMITS.batchMaxBytes) break
    count += 1
  }
  const isBatch = count >= UI_LIMITS.batchFilesMin
  const group = pending.splice(0, isBatch ? count : 1)
  const batch = isBatch ? new UploadBatch() : undefined
  // A task that failed before its batch was sent still has that batch.
  for (const { task } of group) task.batch = batch
  return group
}

/**
 * Whether the file may be sent together with others. A file that was attempted before may not: its upload first asks the
 * server for the file, and a batch only contains files that are added in one turn of the event loop.
 */
function mayShareRequest({ upload, wasAttempted }: UploadTask): boolean {
  return upload !== null && isSmall(upload.file) && !wasAttempted
}

/** Each batch starts in a task of its own: five with a hundred files each would block the page. */
async function runGroup(group: readonly Pending[]): Promise<void> {
  if (group.length > 1) await nextTask()
  await Promise.all(group.map(runPending))
}

async function runPending({ task, settled }: Pending): Promise<void> {
  try {
    await run(task)
  } finally {
    settled()
  }
}

async function run(task: UploadTask): Promise<void> {
  if (task.state !== 'queued') return
  change(task, 'active')
  try {
    await storeResumable(task)
    const { runTask } = await loadRunner()
    await runTask(task)
    deleteStored(task)
    task.sentBytes = task.sizeBytes
    change(task, 'done')
  } catch (error) {
    if (task.abort.signal.aborted) return discardPartial(task)
    task.error = error
    change(task, 'failed')
  }
}

/** Ends a task at once; `run` then deletes the partial content on the server. */
function abort(task: UploadTask): void {
  if (isSettled(task)) return
  change(task, 'aborted')
  task.abort.abort()
}

async function discardPartial(task: UploadTask): Promise<void> {
  const { upload, wasAttempted } = task
  deleteStored(task)
  if (upload && wasAttempted) await (await loadRunner()).discard(upload)
}

function change(task: UploadTask, state: TaskState): void {
  task.state = state
  markChanged(task)
}

/** The end of thousands of files is shown in steps, so that none of them blocks the page. */
async function finish(): Promise<void> {
  await nextTask()
  // The user may have added files in the meantime.
  if (unsettledTasks().length > 0) return
  removeEventListener('beforeunload', preventUnload)
  setFolderEventsPaused(false)
  stayAwake(false)
  const uploaded = finishTasks()
  await nextTask()
  offerUndo(uploaded)
  const depth = segmentsOf(listing.path).length
  const names = uploaded
    .filter(({ path }) => isInside(path, listing.path))
    .map(({ path }) => segmentsOf(path)[depth])
    .filter((name) => name !== undefined)
  if (names.length > 0 && selection.paths.size === 0) preselect([...new Set(names)])
  void (names.length > 0 ? reloadListing() : Promise.resolve()).then(() => {
    isUploading.value = unsettledTasks().length > 0
  })
}

/** Reports the finished uploads and offers to undo all of them at once. */
function offerUndo(uploaded: readonly UploadTask[]): void {
  const ofThisUser = uploaded.filter(({ userId }) => userId === session.user?.id)
  // Files that were sent together have one entry. The order of the entries is that of the changes.
  const numbers = new Set(ofThisUser.flatMap(({ entry }) => entry ?? []))
  const entries = [...numbers].sort((a, b) => a - b)
  const files = ofThisUser.filter(({ upload }) => upload)
  const shown = files.length > 0 ? files : ofThisUser
  reportUploaded(entries, shown.length, shown[0] ? nameOf(shown[0].path) : '')
}

function preventUnload(event: BeforeUnloadEvent): void {
  event.preventDefault()
}
