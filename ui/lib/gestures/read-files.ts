/** Reads dropped and chosen files and folders. What cannot be read is part of the result, with the error. */
import { UI_LIMITS } from '../limits.ts'
import { handleIn, storeHandleSource } from './file-handles.ts'

export interface FilePick {
  /** Null for a folder, and for a file that the browser cannot open. */
  file: File | null
  /** Why the browser cannot open the file, or cannot list the folder to its end: its own error. */
  error?: unknown
  /** Relative, separated by `/`, without a leading slash. */
  path: string
  isDir: boolean
}

/** An item of the drop event, with the request for its handle. */
export interface DroppedEntry {
  entry: FileSystemEntry
  handle: Promise<FileSystemHandle | undefined>
}

/**
 * Reads a drop, folders before their content.
 *
 * @param withoutEntry the items that the browser gives as files only; null for one that it does not give at all
 */
export async function readDropped(
  dropped: readonly DroppedEntry[],
  withoutEntry: readonly (File | null)[],
): Promise<FilePick[]> {
  const picks: FilePick[] = withoutEntry.map((file) =>
    file ? { file, path: file.name, isDir: false } : unreadable(NO_NAME, new Error('No file.')),
  )
  await collect(
    dropped.map(({ entry, handle }) => ({ entry, path: entry.name, handle: () => handle })),
    picks,
  )
  return picks
}

/** Opens a file, whose handle is stored for later. */
export async function openFile(handle: FileSystemFileHandle, path: string): Promise<FilePick> {
  try {
    const file = await handle.getFile()
    storeHandleSource(file, async () => handle)
    return { file, path, isDir: false }
  } catch (error) {
    return unreadable(path, error)
  }
}

/** The name of a dropped item that the browser neither opens nor names. */
const NO_NAME = '?'

/** A file that the browser cannot open. */
function unreadable(path: string, error: unknown): FilePick {
  return { file: null, path, isDir: false, error }
}

/** A file or folder of a drop, or one inside a dropped folder. */
interface DroppedItem {
  entry: FileSystemEntry
  /** From the dropped folder, including its name. */
  path: string
  /** Requests the handle. It is slow, because the handle of each folder above is requested too. */
  handle(): Promise<FileSystemHandle | undefined>
}

/** Adds the items and everything below them to `picks`. */
async function collect(items: readonly DroppedItem[], picks: FilePick[]): Promise<void> {
  const files = items.filter(({ entry }) => entry.isFile)
  for (let index = 0; index < files.length; index += UI_LIMITS.concurrentFileReads) {
    picks.push(
      ...(await Promise.all(files.slice(index, index + UI_LIMITS.concurrentFileReads).map(open))),
    )
  }
  for (const { entry, path, handle } of items) {
    if (!isFolder(entry)) continue
    const { entries, error } = await entriesOf(entry)
    picks.push({ file: null, path, isDir: true, ...(error !== undefined && { error }) })
    let folderHandle: ReturnType<DroppedItem['handle']> | undefined
    const requestFolderHandle = () => {
      folderHandle ??= handle()
      return folderHandle
    }
    await collect(
      entries.map((child) => ({
        entry: child,
        path: `${path}/${child.name}`,
        handle: async () => handleIn(await requestFolderHandle(), child.name, child.isFile),
      })),
      picks,
    )
  }
}

/**
 * Lists a folder. The browser returns the entries in batches (Chromium: 100 each), and an empty batch at the end.
 *
 * @returns the entries that could be read; with the error if there are more
 */
async function entriesOf(
  folder: FileSystemDirectoryEntry,
): Promise<{ entries: FileSystemEntry[]; error?: unknown }> {
  const reader = folder.createReader()
  const entries: FileSystemEntry[] = []
  try {
    for (;;) {
      const portion = await new Promise<FileSystemEntry[]>((resolve, reject) =>
        reader.readEntries(resolve, reject),
      )
      if (portion.length === 0) return { entries }
      entries.push(...portion)
    }
  } catch (error) {
    return { entries, error: error ?? new Error('Unknown.') }
  }
}

async function open({ entry, path, handle }: DroppedItem): Promise<FilePick> {
  try {
    if (!isFile(entry)) throw new Error('No file.')
    const file = await new Promise<File>((resolve, reject) => entry.file(resolve, reject))
    storeHandleSource(file, handle)
    return { file, path, isDir: false }
  } catch (error) {
    return unreadable(path, error)
  }
}

function isFile(entry: FileSystemEntry): entry is FileSystemFileEntry {
  return entry.isFile
}

function isFolder(entry: FileSystemEntry): entry is FileSystemDirectoryEntry {
  return entry.isDirectory
}
