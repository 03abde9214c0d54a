/**
 * File handles of dropped files, in browsers that have them: a handle opens the file again, also after the page was
 * closed.
 */

/** TypeScript does not know these methods yet. */
export interface FileHandle extends FileSystemFileHandle {
  queryPermission(descriptor: { mode: 'read' }): Promise<PermissionState>
  /** Requires a recent click or key press. */
  requestPermission(descriptor: { mode: 'read' }): Promise<PermissionState>
}

interface HandleItem extends DataTransferItem {
  getAsFileSystemHandle?(): Promise<FileSystemHandle | null>
}

const handles = new WeakMap<File, Promise<FileHandle | undefined>>()

/** Requests the handle of a dropped item. Must be called synchronously in the drop event. */
export function handleOfItem(item: HandleItem): Promise<FileHandle | undefined> {
  const request = item.getAsFileSystemHandle?.() ?? Promise.resolve(null)
  return request.then(
    // A browser with file handles also has their permissions API.
    (handle) => (handle && isFileHandle(handle) ? handle : undefined),
    () => undefined,
  )
}

export function noteHandle(file: File, handle: Promise<FileHandle | undefined>): void {
  handles.set(file, handle)
}

/** @returns undefined for a file from a file input, and in browsers without handles */
export async function handleOf(file: File): Promise<FileHandle | undefined> {
  return handles.get(file)
}

function isFileHandle(handle: FileSystemHandle): handle is FileHandle {
  return handle.kind === 'file' && 'queryPermission' in handle
}
