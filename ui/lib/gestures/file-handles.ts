/**
 * File handles of dropped and chosen files, in browsers that have them: a handle opens the file again, also after the
 * page was closed.
 */

/** TypeScript does not know these methods yet. */
export interface FileHandle extends FileSystemFileHandle {
  queryPermission(descriptor: { mode: 'read' }): Promise<PermissionState>
  /** Requires a recent click or key press. */
  requestPermission(descriptor: { mode: 'read' }): Promise<PermissionState>
}

/** A dropped item, with a method that TypeScript does not know yet. */
interface HandleItem extends DataTransferItem {
  getAsFileSystemHandle?(): Promise<FileSystemHandle | null>
}

/** Requests a handle when it is needed. */
type HandleSource = () => Promise<FileSystemHandle | undefined>

/** How to request the handle of a file. */
const sources = new WeakMap<File, HandleSource>()

/** Requests the handle of a dropped item. Must be called synchronously in the drop event. */
export function handleOfItem(item: HandleItem): Promise<FileSystemHandle | undefined> {
  const request = item.getAsFileSystemHandle?.() ?? Promise.resolve(null)
  return request.then(
    (handle) => handle ?? undefined,
    () => undefined,
  )
}

/** @returns the handle of a file or folder in `folder`; undefined if it was moved or deleted since the drop */
export async function handleIn(
  folder: FileSystemHandle | undefined,
  name: string,
  isFile: boolean,
): Promise<FileSystemHandle | undefined> {
  if (!folder || !isFolderHandle(folder)) return undefined
  const request = isFile ? folder.getFileHandle(name) : folder.getDirectoryHandle(name)
  return request.catch(() => undefined)
}

/** Stores how the handle of a file can be requested. */
export function storeHandleSource(file: File, source: HandleSource): void {
  sources.set(file, source)
}

/** @returns the handle of a file; undefined for a file from a file input, and in browsers without handles */
export async function handleOf(file: File): Promise<FileHandle | undefined> {
  const handle = await sources.get(file)?.()
  // A browser with file handles also has their permissions API.
  return handle && isFileHandle(handle) ? handle : undefined
}

function isFileHandle(handle: FileSystemHandle): handle is FileHandle {
  return handle.kind === 'file' && 'queryPermission' in handle
}

function isFolderHandle(handle: FileSystemHandle): handle is FileSystemDirectoryHandle {
  return handle.kind === 'directory'
}
