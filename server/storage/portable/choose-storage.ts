/** Which calls open the served folder: those of Linux, or those of every system. */
import { hasDescriptorPaths } from '#server/os/descriptor-paths.ts'
import { openFolder } from '#server/storage/local/handles/descriptor.ts'
import type { OpenFolderAt } from '#server/storage/local/handles/handle.ts'
import { Fault } from '#wire/fault.ts'
import { PathHandle } from './path-handle.ts'

/** `local`: descriptors of Linux; `portable`: paths. */
export type StorageKind = 'local' | 'portable'

/**
 * @param wanted the value of the option: `auto` or a kind
 * @throws Fault unsupported (`local`, where the system has no paths of descriptors)
 */
export function storageKindOf(wanted: string, hasLocal = hasDescriptorPaths()): StorageKind {
  if (wanted === 'portable') return 'portable'
  if (hasLocal) return 'local'
  if (wanted !== 'local') return 'portable'
  throw new Fault(
    'unsupported',
    '--storage local needs Linux with /proc. Leave the option out, or use --storage portable.',
  )
}

/** @returns what opens folders by the calls of a kind */
export function folderOpenerOf(kind: StorageKind): OpenFolderAt {
  return kind === 'local' ? openFolder : PathHandle.openTop
}
