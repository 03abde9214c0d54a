/** A preloaded module for `bun test`: the process has no openat2(2), as on a kernel or behind a filter without it. */
import { mock } from 'bun:test'
import { SystemError } from '#server/os/errno.ts'

/** The environment variable that tells the tests so. */
export const WITHOUT_OPENAT2 = 'FILEMGR_TEST_WITHOUT_OPENAT2'

function lacksCall(): never {
  throw new SystemError('openat2', 'ENOSYS')
}

if (process.env[WITHOUT_OPENAT2]) {
  mock.module('#server/os/open-beneath.ts', () => ({
    openBeneath: lacksCall,
    openBeneathOnSameMount: lacksCall,
    openWithoutLinks: lacksCall,
    openOnSameMount: lacksCall,
    hasOpenBeneath: () => false,
  }))
}
