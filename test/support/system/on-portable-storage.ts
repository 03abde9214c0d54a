/** A preloaded module for `bun test`: the storage of a folder on a disk opens it by the calls of every system. */
import { mock } from 'bun:test'
import { DescriptorHandle } from '#server/storage/local/handles/descriptor.ts'
import { PathHandle } from '#server/storage/portable/path-handle.ts'

/** The environment variable that tells the tests so. */
export const ON_PORTABLE_STORAGE = 'FILEMGR_TEST_ON_PORTABLE_STORAGE'

if (process.env[ON_PORTABLE_STORAGE]) {
  mock.module('#server/storage/local/handles/descriptor.ts', () => ({
    DescriptorHandle,
    openFolder: PathHandle.openTop,
  }))
}
