/** The options of resumable uploads. */
import type { Peers } from '#server/cluster/peers.ts'
import type { TrashSpace, UploadReserve } from './staged-store.ts'

export interface UploadOptions {
  /** The folder of staged uploads, in the private folder of the served file system. */
  folder: string
  /** The path of the served folder on the disk; the database may hold uploads of several. */
  root: string
  expiryMs: number
  /** Bytes; 0 means no limit. */
  limitBytes: number
  /** The trash on the same disk, which can be deleted to make room; absent if there is none. */
  trash?: TrashSpace
  /** What uploads leave free on the disk. */
  reserve?: UploadReserve
  /** The processes that share the folder; absent if there are no others. */
  peers?: Peers | undefined
  /** Waits until the disk with the folder has answered. @throws Fault unavailable if it does not */
  diskAnswers?(): Promise<void>
  /** The time for the age of uploads; the time of day by default. */
  nowMs?(): number
}
