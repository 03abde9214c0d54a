/**
 * The storage of a folder on every system: that of `server/storage/local`, with the calls of node:fs alone. Other disks
 * have no threads of their own, and commands cannot be started in it.
 */
import { LocalStorage } from '#server/storage/local/local-storage.ts'
import type { LocalOptions } from '#server/storage/local/operations/served-folder.ts'
import { PathHandle } from './path-handle.ts'

/** @throws as `LocalStorage.open` */
export function openPortable(path: string, options: LocalOptions): Promise<LocalStorage> {
  return LocalStorage.open(path, { ...options, openFolder: PathHandle.openTop })
}
