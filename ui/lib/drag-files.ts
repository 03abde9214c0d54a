/** Files and folders as the browser hands them over, brought to one form. */

export interface FilePick {
  /** Null for a folder, and for a file that the browser cannot open. */
  file: File | null
  /** Relative, separated by `/`, without a leading one. */
  path: string
  isDir: boolean
}

/** How many files of a folder are opened at a time. */
const OPEN_AT_ONCE = 64

/**
 * Everything a drop carries, folders before what they hold, empty folders too.
 *
 * Call it inside the drop's own event: the browser empties the transfer when the handler returns.
 */
export async function filesOfTransfer(transfer: DataTransfer): Promise<FilePick[]> {
  const entries: FileSystemEntry[] = []
  for (const item of transfer.items) {
    const entry = item.kind === 'file' ? item.webkitGetAsEntry?.() : null
    if (entry) entries.push(entry)
  }
  if (entries.length === 0) return filesOfInput(transfer.files)
  const picks: FilePick[] = []
  await collect(entries, '', picks)
  return picks
}

/** The files of a file field; with `webkitdirectory` each knows its place below the chosen folder. */
export function filesOfInput(files: Iterable<File>): FilePick[] {
  return Array.from(files, (file) => ({
    file,
    path: file.webkitRelativePath || file.name,
    isDir: false,
  }))
}

async function collect(entries: FileSystemEntry[], below: string, into: FilePick[]): Promise<void> {
  const files = entries.filter(isFile)
  for (let at = 0; at < files.length; at += OPEN_AT_ONCE) {
    const opened = files.slice(at, at + OPEN_AT_ONCE).map(async (entry) => ({
      file: await open(entry),
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

/** A reader gives a folder in portions (Chromium: 100 at a time) and then an empty one. */
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

function open(entry: FileSystemFileEntry): Promise<File | null> {
  return new Promise((resolve) => entry.file(resolve, () => resolve(null)))
}

function isFile(entry: FileSystemEntry): entry is FileSystemFileEntry {
  return entry.isFile
}

function isFolder(entry: FileSystemEntry): entry is FileSystemDirectoryEntry {
  return entry.isDirectory
}
