/** Opens files and folders whose handles the browser's dialogs gave. Empty folders are included. */
import type { FilePick } from '#ui/lib/gestures/read-files.ts'
import { openFile } from '#ui/lib/gestures/read-files.ts'
import { UI_LIMITS } from '#ui/lib/limits.ts'

export function filesOf(handles: readonly FileSystemFileHandle[]): Promise<FilePick[]> {
  return Promise.all(handles.map((handle) => openFile(handle, handle.name)))
}

/** @returns the folder and all below it, folders before their content; what cannot be read has its error */
export async function filesOfFolder(folder: FileSystemDirectoryHandle): Promise<FilePick[]> {
  const picks: FilePick[] = []
  await collect(folder, folder.name, picks)
  return picks
}

async function collect(
  folder: FileSystemDirectoryHandle,
  path: string,
  picks: FilePick[],
): Promise<void> {
  const pick: FilePick = { file: null, path, isDir: true }
  picks.push(pick)
  const files: FileSystemFileHandle[] = []
  const folders: FileSystemDirectoryHandle[] = []
  try {
    for await (const child of folder.values()) {
      if (child.kind === 'file') files.push(child)
      else folders.push(child)
    }
  } catch (error) {
    // What was listed before the error is uploaded.
    pick.error = error
  }
  for (let index = 0; index < files.length; index += UI_LIMITS.concurrentFileReads) {
    const portion = files.slice(index, index + UI_LIMITS.concurrentFileReads)
    picks.push(
      ...(await Promise.all(portion.map((file) => openFile(file, `${path}/${file.name}`)))),
    )
  }
  for (const inner of folders) await collect(inner, `${path}/${inner.name}`, picks)
}
