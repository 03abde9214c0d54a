/**
 * Unfinished uploads of this browser, by user. Uploads of a closed page are offered again. Only metadata that
 * identifies the file is stored here; the content sent so far is on the server.
 */

import { handleOf } from '#ui/lib/gestures/file-handles.ts'
import { UI_LIMITS } from '#ui/lib/limits.ts'
import { remember, rememberedRows } from '#ui/lib/remembered.ts'
import { joinPath, ROOT, type TreePath } from '#wire/paths.ts'
import type { BegunUpload } from '../send/begun-upload.ts'
import type { Upload } from '../send/transport.ts'

export interface Unfinished {
  userId: number
  path: TreePath
  relativePath: string
  override: boolean
  /** The upload on the server; undefined until it begins. */
  begun?: BegunUpload | undefined
  name: string
  /** Bytes. */
  size: number
  /** The file's modification time, in milliseconds since 1970. */
  lastModified: number
  /** The time at which the server last confirmed bytes. */
  atMs: number
  /** The id of the page that sends it. */
  page: string
  /** Whether the user has refused to continue it. A new upload of the file to the same path continues it. */
  isDismissed?: boolean
}

const STORAGE_KEY = 'filemgr.uploads'
/** The id of this page. */
const PAGE_ID = Math.random().toString(36).slice(2)

/** Loaded with the first file that has a handle. */
const loadHandles = () => import('../choose/handle-store.ts')

/** Stores the upload, or updates its time. */
export function storeUnfinished({ file, ...destination }: Upload, userId: number): void {
  holdPageLock()
  const { name, size, lastModified } = file
  const row = { ...destination, userId, name, size, lastModified, atMs: Date.now(), page: PAGE_ID }
  write([...others(row), row])
  void handleOf(file).then(async (handle) => {
    if (handle) (await loadHandles()).storeHandle(row, handle)
    // The upload may have ended in the meantime.
    if (handle && !read().some((stored) => isSame(stored, row))) deleteHandle(row)
  })
}

/** Deletes the row, because the upload has ended or was cancelled. */
export function deleteUnfinished(row: Pick<Unfinished, 'path' | 'userId'>): void {
  if (!read().some((stored) => isSame(stored, row))) return
  write(others(row))
  deleteHandle(row)
}

/** Stores that the upload is not offered again. */
export function dismissUnfinished(row: Pick<Unfinished, 'path' | 'userId'>): void {
  const stored = read().find((one) => isSame(one, row))
  if (!stored) return
  write([...others(row), { ...stored, isDismissed: true }])
  deleteHandle(row)
}

/** @returns the upload of the same file to the same path that an earlier page, or an earlier task, has begun */
export async function begunBefore(
  { path, file }: Upload,
  userId: number,
): Promise<BegunUpload | undefined> {
  // The browser may refuse to say which pages are open.
  const rows = await unsentOf(userId).catch(() => [])
  return rows.find((row) => row.path === path && isSameFile(file, row))?.begun
}

/** Whether a file on this device is the one of an unfinished upload. */
export function isSameFile(
  file: File,
  { name, size, lastModified }: Pick<Unfinished, 'name' | 'size' | 'lastModified'>,
): boolean {
  return file.name === name && file.size === size && file.lastModified === lastModified
}

/** Rows of earlier versions, and of browsers without handles, have no handle to delete. */
function deleteHandle(row: Pick<Unfinished, 'path' | 'userId'>): void {
  if ('FileSystemFileHandle' in globalThis) {
    void loadHandles().then((handleStore) => handleStore.deleteHandle(row))
  }
}

/** Whether there may be uploads to offer. It makes no request. */
export function hasUnfinished(userId: number): boolean {
  return read().some((row) => row.userId === userId && !row.isDismissed)
}

/** The uploads of a user that can be offered: no open page is sending them, and the user has not dismissed them. */
export async function unfinishedOf(userId: number): Promise<Unfinished[]> {
  return (await unsentOf(userId)).filter(({ isDismissed }) => !isDismissed)
}

/** The uploads of a user that no open page is sending. */
async function unsentOf(userId: number): Promise<Unfinished[]> {
  const held = (await navigator.locks?.query())?.held ?? []
  const pages = new Set(held.map(({ name }) => name))
  const isSent = ({ page }: Unfinished) => page !== PAGE_ID && pages.has(lockOf(page))
  return read().filter((row) => row.userId === userId && !isSent(row))
}

let hasPageLock = false

/** Holds a lock until the page is closed: other pages see by the lock that this page is still open. */
function holdPageLock(): void {
  if (hasPageLock) return
  hasPageLock = true
  void navigator.locks?.request(lockOf(PAGE_ID), () => new Promise(() => {}))
}

function lockOf(page: string): string {
  return `filemgr uploads ${page}`
}

function others(row: Pick<Unfinished, 'path' | 'userId'>): Unfinished[] {
  return read().filter((stored) => !isSame(stored, row))
}

function isSame(
  a: Pick<Unfinished, 'path' | 'userId'>,
  b: Pick<Unfinished, 'path' | 'userId'>,
): boolean {
  return a.path === b.path && a.userId === b.userId
}

/** Stores the newest rows. The handles of the others are deleted with them. */
function write(rows: readonly Unfinished[]): void {
  const kept = rows.slice(-UI_LIMITS.storedUploadsMax)
  const dropped = rows.slice(0, rows.length - kept.length)
  if (remember(STORAGE_KEY, kept.length === 0 ? undefined : kept)) dropped.forEach(deleteHandle)
}

function read(): Unfinished[] {
  const rows = rememberedRows(STORAGE_KEY, isRow)
  return rows.map((row) => ({ ...row, path: joinPath(ROOT, row.path) }))
}

/** Whether a stored value has everything that the panel shows and that a resumed upload needs. */
function isRow(row: unknown): row is Unfinished {
  if (typeof row !== 'object' || row === null) return false
  const has = (type: 'string' | 'number') => (key: keyof Unfinished) =>
    typeof Reflect.get(row, key) === type
  const texts = ['path', 'relativePath', 'name'] as const
  const numbers = ['userId', 'size', 'lastModified', 'atMs'] as const
  const isComplete = texts.every(has('string')) && numbers.every(has('number'))
  return isComplete && isBegun(Reflect.get(row, 'begun'))
}

function isBegun(begun: unknown): begun is Unfinished['begun'] {
  if (begun === undefined) return true
  if (typeof begun !== 'object' || begun === null) return false
  const { key, id }: { key?: unknown; id?: unknown } = begun
  return typeof key === 'string' && (id === undefined || typeof id === 'string')
}
