import { describeStorage } from '../../contract/storage.ts'
import { MemoryStorage } from '../../support/storage/memory-storage.ts'

describeStorage('MemoryStorage', async () => ({
  storage: new MemoryStorage(),
  close: () => undefined,
}))
