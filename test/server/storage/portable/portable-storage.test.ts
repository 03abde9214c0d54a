import { LocalStorage } from '#server/storage/local/local-storage.ts'
import { folderOpenerOf } from '#server/storage/portable/choose-storage.ts'
import { describeStorage } from '../../../contract/storage.ts'
import { temporaryFolder } from '../../../support/files/tree.ts'
import { STORAGE_OPTIONS } from '../../../support/storage/served.ts'

describeStorage('the portable storage', async () => {
  const folder = temporaryFolder()
  const openFolder = folderOpenerOf('portable')
  const storage = await LocalStorage.open(folder.path, { ...STORAGE_OPTIONS, openFolder })
  return {
    storage,
    close() {
      storage.close()
      folder.remove()
    },
  }
})
