/** Converts dropped and chosen files and folders to one form. */
import { handleOfItem, noteHandle } from './file-handles.ts'

export interface FilePick {
  /** Null for a folder, and for a file that the browser cannot open. */
  file: File | null
  /** Relative, separated by `/`, without a leading slash. */
  path: string
  isDir: boolean
}

/** The number of files of a folder that are opened at a time. */
const OPEN_AT_ONCE = 64

/**
 * Reads all files and folders of a drop, folders before their content, including empty folders. Must be called
 * synchronously in the drop event: the browser clears the transfer when the handler returns.
 */
export async function filesOfTransfer(transfer: DataTransfer): Promise<FilePick[]> {
  const entries: FileSystemEntry[] = []
  const handles: Handles = new Map()
  for (const item of transfer.items) {
    const entry = item.kind === 'file' ? item.webkitGetAsEntry?.() : null
    if (!entry) continue
    entries.push(entry)
    if (isFile(entry)) handles.set(entry, handleOfItem(item))
  }
  if (entries.length === 0) return filesOfInput(transfer.files)
  const picks: FilePick[] = []
  await collect(entries, '', picks, handles)
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

/** Handles of the files that were dropped directly. */
type Handles = Map<FileSystemEntry, ReturnType<typeof handleOfItem>>

async function collect(
  entries: FileSystemEntry[],
  below: string,
  into: FilePick[],
  handles?: Handles,
): Promise<void> {
  const files = entries.filter(isFile)
  for (let at = 0; at < files.length; at += OPEN_AT_ONCE) {
    const opened = files.slice(at, at + OPEN_AT_ONCE).map(async (entry) => ({
      file: await open(entry, handles?.get(entry)),
      path: below + entry.name,
      isDir: false,
    }))
    into.push(...(await Promise.all(opened)))
  }
  for (const folder of entries.filter(isFolder)) {
    into.push({ file: null, path: below + folder.name, isDir: true })
    await collect(await entriesOf(folder), `${below}${folder.name}/`, into)
  }
}

/** A reader returns a folder in batches (Chromium: 100 entries) and then an empty batch. */
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

async function open(
  entry: FileSystemFileEntry,
  handle?: ReturnType<typeof handleOfItem>,
): Promise<File | null> {
  const file = await new Promise<File | null>((resolve) => entry.file(resolve, () => resolve(null)))
  if (file && handle) noteHandle(file, handle)
  return file
}

function isFile(entry: FileSystemEntry): entry is FileSystemFileEntry {
  return entry.isFile
}

function isFolder(entry: FileSystemEntry): entry is FileSystemDirectoryEntry {
  return entry.isDirectory
}
