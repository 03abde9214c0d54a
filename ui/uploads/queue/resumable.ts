/** Offers to resume uploads of a page that was closed. */

import { signal } from '@preact/signals-react'
import { type FileHandle, storeHandleSource } from '#ui/lib/gestures/file-handles.ts'
import { UI_LIMITS } from '#ui/lib/limits.ts'
import { session } from '#ui/state/session/session.ts'
import { pickFiles } from '../choose/pick.ts'
import { findBegun } from '../send/begun-upload.ts'
import type { Upload } from '../send/transport.ts'
import { resumeUploads } from './queue.ts'
import {
  deleteUnfinished,
  dismissUnfinished,
  isSameFile,
  storeUnfinished,
  type Unfinished,
  unfinishedOf,
} from './unfinished.ts'

export interface ResumableUpload extends Unfinished {
  /** The number of bytes that the server has. */
  receivedBytes: number
  /** Opens the file after the user has granted permission. */
  handle?: FileHandle | undefined
}

/** The newest first; empty if there is nothing to offer. */
export const resumableUploads = signal<readonly ResumableUpload[]>([])

/**
 * Collects the uploads that the user can resume. Uploads that the server no longer has are dropped. Files that the
 * browser may still open are resumed automatically.
 */
export async function loadResumableUploads(userId: number): Promise<void> {
  await oneTabAtATime(async () => {
    const rows = (await unfinishedOf(userId)).toSorted((a, b) => b.atMs - a.atMs)
    const resumable: ResumableUpload[] = []
    for (let index = 0; index < rows.length; index += UI_LIMITS.concurrentChecks) {
      const requests = rows.slice(index, index + UI_LIMITS.concurrentChecks).map(findResumable)
      resumable.push(...(await Promise.all(requests)).filter((upload) => upload !== undefined))
    }
    const opened = await Promise.all(resumable.map(reopenFile))
    resumableUploads.value = resumable.filter((_, index) => opened[index] === undefined)
    resume(opened.filter((upload) => upload !== undefined))
  })
}

/**
 * Requests permission to open the files again, and resumes those that are granted. Requires a recent click or key
 * press.
 */
export async function resumeWithPermission(): Promise<void> {
  const uploads: Upload[] = []
  for (const row of resumableUploads.value) {
    if ((await row.handle?.requestPermission({ mode: 'read' })) !== 'granted') continue
    const upload = await reopenFile(row)
    if (upload) uploads.push(upload)
    // The file was changed or moved: the user can only choose it again.
    else
      resumableUploads.value = resumableUploads.value.map((upload) =>
        upload === row ? { ...row, handle: undefined } : upload,
      )
  }
  resume(uploads)
}

/**
 * Opens the file dialog and resumes the chosen files that were offered.
 *
 * @returns false if files were chosen and none of them was offered
 */
export async function resumeChosenFiles(): Promise<boolean> {
  const picks = await pickFiles()
  const uploads = resumableUploads.value.flatMap((row) => {
    const pick = picks.find(({ file }) => file && isSameFile(file, row))
    return pick?.file ? [uploadOf(row, pick.file)] : []
  })
  void resumeUploads(uploads)
  return uploads.length > 0 || picks.length === 0
}

/** Discards the offer. A new upload of one of these files still resumes at its offset. */
export function dismissResumableUploads(): void {
  for (const row of resumableUploads.value) dismissUnfinished(row)
  resumableUploads.value = []
}

/** Resumes uploads. They are stored as uploads of this page, so that no other page offers or sends them. */
function resume(uploads: readonly Upload[]): void {
  const userId = session.user?.id
  if (userId !== undefined) for (const upload of uploads) storeUnfinished(upload, userId)
  void resumeUploads(uploads)
}

/** Runs `work` while no other tab runs it: two tabs must not resume the same files. */
async function oneTabAtATime(work: () => Promise<void>): Promise<void> {
  if (navigator.locks) await navigator.locks.request('filemgr uploads offer', work)
  else await work()
}

/** @returns undefined if the upload cannot be resumed, or if it is not known yet whether it can */
async function findResumable(row: Unfinished): Promise<ResumableUpload | undefined> {
  try {
    const stored = await findBegun(row)
    if (stored?.isUploadOf(row) && stored.offset < row.size) {
      const { begun, offset } = stored
      return { ...row, begun, receivedBytes: offset, handle: await handleOfRow(row) }
    }
    deleteUnfinished(row)
  } catch {
    // It is not known whether the server has the upload. It is offered again later.
  }
  return undefined
}

async function handleOfRow(row: Unfinished): Promise<FileHandle | undefined> {
  if (!('FileSystemFileHandle' in globalThis)) return undefined
  return (await import('../choose/handle-store.ts')).readHandle(row)
}

/** @returns undefined if the browser may not open the file, or if it was changed or moved */
async function reopenFile(row: ResumableUpload): Promise<Upload | undefined> {
  const { handle } = row
  try {
    if ((await handle?.queryPermission({ mode: 'read' })) !== 'granted') return undefined
    const file = await handle?.getFile()
    if (!file || !handle || !isSameFile(file, row)) return undefined
    storeHandleSource(file, async () => handle)
    return uploadOf(row, file)
  } catch {
    return undefined
  }
}

function uploadOf({ path, relativePath, override, begun }: Unfinished, file: File): Upload {
  return { file, path, relativePath, override, begun }
}
