/** Converts dropped and chosen files and folders to one form. */

import { handleOfItem } from './file-handles.ts'
import type { DroppedEntry, FilePick } from './read-files.ts'

/**
 * Reads all files and folders of a drop, folders before their content, including empty folders. Must be called
 * synchronously in the drop event: the browser clears the transfer when the handler returns.
 */
export async function filesOfTransfer(transfer: DataTransfer): Promise<FilePick[]> {
  const dropped: DroppedEntry[] = []
  const withoutEntry: (File | null)[] = []
  for (const item of transfer.items) {
    if (item.kind !== 'file') continue
    const entry = item.webkitGetAsEntry?.()
    if (entry) dropped.push({ entry, handle: handleOfItem(item) })
    else withoutEntry.push(item.getAsFile?.() ?? null)
  }
  if (dropped.length === 0) return filesOfInput(transfer.files)
  const { readDropped } = await import('./read-files.ts')
  return readDropped(dropped, withoutEntry)
}

/** The files of a file input; with `webkitdirectory` each has its path below the chosen folder. */
export function filesOfInput(files: Iterable<File>): FilePick[] {
  return Array.from(files, (file) => ({
    file,
    path: file.webkitRelativePath || file.name,
    isDir: false,
  }))
}
