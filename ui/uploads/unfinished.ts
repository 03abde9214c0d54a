/**
 * Which uploads of this browser are under way, by person: those that a closed page leaves behind are
 * offered again. Bytes stay on the server; here is what a file is recognised by.
 */
import { remember, rememberedRows } from '#ui/lib/remembered.ts'
import { joinPath, ROOT, type TreePath } from '#wire/paths.ts'
import type { Upload } from './transport.ts'

export interface Unfinished {
  userId: number
  path: TreePath
  relativePath: string
  override: boolean
  name: string
  /** Bytes. */
  size: number
  /** Of the file, in milliseconds since 1970. */
  lastModified: number
  /** When something of it arrived last. */
  atMs: number
  /** The page that sends it. */
  page: string
}

const STORAGE_KEY = 'filemgr.uploads'
/** The oldest beyond these are forgotten. */
const KEPT = 200
/** This page's own name. */
const PAGE = Math.random().toString(36).slice(2)

/** The upload goes on, as of this moment. */
export function keepUnfinished({ file, ...where }: Upload, userId: number): void {
  holdPage()
  const { name, size, lastModified } = file
  const row = { ...where, userId, name, size, lastModified, atMs: Date.now(), page: PAGE }
  write([...others(row), row])
}

/** The upload has ended, or is not wanted any more. */
export function dropUnfinished(row: Pick<Unfinished, 'path' | 'userId'>): void {
  if (read().some((one) => isSame(one, row))) write(others(row))
}

/** Whether there may be something to offer; cheap. */
export function hasUnfinished(userId: number): boolean {
  return read().some((row) => row.userId === userId)
}

/** Those of a person that no other page is still sending. */
export async function unfinishedOf(userId: number): Promise<Unfinished[]> {
  const held = (await navigator.locks?.query())?.held ?? []
  const pages = new Set(held.map(({ name }) => name))
  const isSent = ({ page }: Unfinished) => page !== PAGE && pages.has(lockOf(page))
  return read().filter((row) => row.userId === userId && !isSent(row))
}

let holds = false

/** The lock lasts as long as the page: it tells other pages that this one is alive. */
function holdPage(): void {
  if (holds) return
  holds = true
  void navigator.locks?.request(lockOf(PAGE), () => new Promise(() => {}))
}

function lockOf(page: string): string {
  return `filemgr uploads ${page}`
}

function others(row: Pick<Unfinished, 'path' | 'userId'>): Unfinished[] {
  return read().filter((one) => !isSame(one, row))
}

function isSame(
  a: Pick<Unfinished, 'path' | 'userId'>,
  b: Pick<Unfinished, 'path' | 'userId'>,
): boolean {
  return a.path === b.path && a.userId === b.userId
}

function write(rows: readonly Unfinished[]): void {
  remember(STORAGE_KEY, rows.length === 0 ? undefined : rows.slice(-KEPT))
}

function read(): Unfinished[] {
  const rows = rememberedRows(STORAGE_KEY, isRow)
  return rows.map((row) => ({ ...row, path: joinPath(ROOT, row.path) }))
}

function isRow(row: unknown): row is Unfinished {
  const isObject = typeof row === 'object' && row !== null
  return isObject && 'path' in row && typeof row.path === 'string' && 'userId' in row
}
