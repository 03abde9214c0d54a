/** Chooses the viewer of a file. */

import type { Entry, EntryType } from '#wire/api/entry.ts'
import { archiveKindOf } from '#wire/formats/archives.ts'
import { extensionOf } from '#wire/paths.ts'
import { UI_LIMITS } from '../limits.ts'

/** Viewers that users and visitors of a share both have. */
export type DocumentViewer = 'pdf' | 'document' | 'sheets'

export type Viewer =
  | 'editor'
  /** A text that is only shown: in a share. */
  | 'text'
  | 'table'
  | 'image'
  | 'video'
  | 'audio'
  | 'book'
  | 'archive'
  | 'card'
  | DocumentViewer

/** The properties of a file that the choice depends on. */
export interface Viewable {
  name: string
  type: EntryType
  /** Bytes. */
  size: number
  content?: string | undefined
}

interface ViewerOptions {
  /** Whether the user may read the file's content. */
  mayRead: boolean
  /** Whether a table is requested as plain text. */
  asText?: boolean
}

/** @returns the viewer of a file; `card` if no viewer supports it */
export function viewerOf(file: Viewable, { mayRead, asText = false }: ViewerOptions): Viewer {
  if (!mayRead) return 'card'
  const isSource = asText || !documentViewerOf(file)
  if (isText(file) && isSource) return isTable(file) && !asText ? 'table' : 'editor'
  if (hasExtension(file, 'epub') && file.size <= UI_LIMITS.bookMaxBytes) return 'book'
  return (
    documentViewerOf(file) ??
    VIEWER_BY_TYPE[file.type] ??
    (archiveKindOf(file.name) ? 'archive' : 'card')
  )
}

/** @returns the viewer of a document; undefined for other files, and for one that is too large */
export function documentViewerOf(file: Pick<Viewable, 'name' | 'type' | 'size'>) {
  if (file.type === 'pdf') return file.size <= UI_LIMITS.pdfMaxBytes ? 'pdf' : undefined
  if (file.size > UI_LIMITS.documentMaxBytes) return undefined
  // The source of an RTF is text, which tells a reader nothing.
  if (hasExtension(file, 'rtf')) return 'document'
  if (file.type !== 'blob') return undefined
  if (hasExtension(file, 'docx', 'odt')) return 'document'
  return hasExtension(file, 'xlsx', 'ods') ? 'sheets' : undefined
}

/** Whether the previous and next buttons open an entry: they open all files except texts and broken symlinks. */
export function isStepTarget({ type, isDir }: { type: EntryType; isDir: boolean }): boolean {
  return !isDir && type !== 'text' && type !== 'textImmutable' && type !== 'invalid_link'
}

export interface Neighbours {
  previous: Entry | undefined
  next: Entry | undefined
  /** The number of the file among those that the buttons open, and the number of these files. */
  rank?: { at: number; of: number } | undefined
}

/** The files before and after `path`; files for which `isTarget` is false are skipped. */
export function neighboursOf(
  siblings: readonly Entry[],
  path: string,
  isTarget = isStepTarget,
): Neighbours {
  let [at, of] = [0, 0]
  let previous: Entry | undefined
  let next: Entry | undefined
  for (const entry of siblings) {
    const isShown = entry.path === path
    if (!isShown && !isTarget(entry)) continue
    of += 1
    if (isShown) at = of
    else if (at === 0) previous = entry
    else next ??= entry
  }
  return at === 0 ? { previous: undefined, next } : { previous, next, rank: { at, of } }
}

export function isMarkdown(file: { name: string }): boolean {
  return hasExtension(file, 'md', 'markdown')
}

/** Whether a table is small enough for the table viewer (docs/api.md 10.2). */
export function isTable(file: { name: string; size: number }): boolean {
  return hasExtension(file, 'csv', 'tsv') && file.size <= UI_LIMITS.tableMaxBytes
}

const VIEWER_BY_TYPE: Partial<Record<EntryType, Viewer>> = {
  image: 'image',
  video: 'video',
  audio: 'audio',
}

function isText({ type }: Viewable): boolean {
  return type === 'text' || type === 'textImmutable'
}

function hasExtension({ name }: { name: string }, ...endings: string[]): boolean {
  return endings.includes(extensionOf(name).slice(1).toLowerCase())
}
