/** Opens objects again in another thread of the process. */
import { DescriptorHandle } from '#server/storage/local/handles/descriptor.ts'
import { diskPath, type Handle, type HandleAddress } from '#server/storage/local/handles/handle.ts'
import { PathHandle } from './path-handle.ts'

/** @returns a folder that is open in another thread; a descriptor is used and never closed here */
export function handleAt(address: HandleAddress): Handle {
  if (typeof address === 'number') return new DescriptorHandle(address)
  return PathHandle.openTop(diskPath(address))
}
