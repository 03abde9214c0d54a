/** Converts dropped and chosen files and folders to one form. */

import { UI_LIMITS } from '../limits.ts'
import { handleIn, handleOfItem, storeHandleSource } from './file-handles.ts'

export interface FilePick {
  /** Null for a folder, and for a file that the browser cannot open. */
  file: File | null
  /** Relative, separated by `/`, without a leading slash. */
  path: string
  isDir: boolean
}

/**
 * Reads all files and folders of a drop, folders before their content, including empty folders. Must be called
 * synchronously in the drop event: the browser clears the transfer when the handler returns.
 */
export async function filesOfTransfer(transfer: DataTransfer): Promise<FilePick[]> {
  const dropped: Dropped[] = []
  for (const item of transfer.items) {
    const entry = item.kind === 'file' ? item.webkitGetAsEntry?.() : null
    if (entry) dropped.push({ entry, handle: handleOfItem(item) })
  }
  if (dropped.length === 0) return filesOfInput(transfer.files)
  const picks: FilePick[] = []
  await collect(
    dropped.map(({ entry, handle }) => ({ entry, path: entry.name, handle: () => handle })),
    picks,
  )
  return picks
}

/** The files of a file input; with `webkitdirectory` each has its path below the chosen folder. */
export function filesOfInput(files: Iterable<File>): FilePick[] {
  return Array.from(files, (file) => ({
    file,
    path: file.webkitRelativePath || file.name,
    isDir: false,
  }))
}

/** An item of the drop event, with the request for its handle. */
interface Dropped {
  entry: FileSystemEntry
  handle: Promise<FileSystemHandle | undefined>
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
    picks.push({ file: null, path, isDir: true })
    const children = await entriesOf(entry)
    let folderHandle: ReturnType<DroppedItem['handle']> | undefined
    const requestFolderHandle = () => {
      folderHandle ??= handle()
      return folderHandle
    }
    await collect(
      children.map((child) => ({
        entry: child,
        path: `${path}/${child.name}`,
        handle: async () => handleIn(await requestFolderHandle(), child.name, child.isFile),
      })),
      picks,
    )
  }
}

/** Lists a folder. The browser returns the entries in batches (Chromium: 100 each), and an empty batch at the end. */
async function entriesOf(folder: FileSystemDirectoryEntry): Promise<FileSystemEntry[]> {
  const reader = folder.createReader()
  const all: FileSystemEntry[] = []
  for (;;) {
    const portion = await new Promise<FileSystemEntry[]>((resolve) =>
      reader.readEntries(resolve, () => resolve([])),
    )
    if (portion.length === 0) return all
    all.push(...portion)
  }
}

async function open({ entry, path, handle }: DroppedItem): Promise<FilePick> {
  const file = isFile(entry)
    ? await new Promise<File | null>((resolve) => entry.file(resolve, () => resolve(null)))
    : null
  if (file) storeHandleSource(file, handle)
  return { file, path, isDir: false }
}

function isFile(entry: FileSystemEntry): entry is FileSystemFileEntry {
  return entry.isFile
}

function isFolder(entry: FileSystemEntry): entry is FileSystemDirectoryEntry {
  return entry.isDirectory
}
