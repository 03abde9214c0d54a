import { openPortable } from '#server/storage/portable/portable-storage.ts'
import { describeStorage } from '../../../contract/storage.ts'
import { temporaryFolder } from '../../../support/files/tree.ts'
import { STORAGE_OPTIONS } from '../../../support/storage/served.ts'

describeStorage('the portable storage', async () => {
  const folder = temporaryFolder()
  const storage = await openPortable(folder.path, STORAGE_OPTIONS)
  return {
    storage,
    close() {
      storage.close()
      folder.remove()
    },
  }
})
