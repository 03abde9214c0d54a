/** A new storage on a new folder for each test, and helpers for its results. */
import { afterEach, beforeEach } from 'bun:test'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { LocalStorage } from '#server/storage/local/local-storage.ts'
import { Fault } from '#wire/fault.ts'
import { temporaryFolder } from '../files/tree.ts'

export const STORAGE_OPTIONS = {
  fileMode: 0o640,
  folderMode: 0o750,
  ownPaths: { files: [], folders: [] },
} as const

/** Created for each test. */
export interface Served {
  /** The folder of the test, which is or contains the served folder. */
  path: string
  storage: LocalStorage
}

/**
 * Opens a storage before each test of the file, and removes everything after it.
 *
 * @param root the served folder inside the test's folder; the same folder if it is absent
 * @param fill creates the initial content of the folder
 */
export function serveForEach({
  root = '',
  fill = () => undefined,
}: {
  root?: string
  fill?: () => void
} = {}): Served & { disk: (name: string) => string } {
  let folder: ReturnType<typeof temporaryFolder>
  let storage: LocalStorage
  beforeEach(async () => {
    folder = temporaryFolder()
    mkdirSync(join(folder.path, root), { recursive: true })
    fill()
    storage = await LocalStorage.open(join(folder.path, root), STORAGE_OPTIONS)
  })
  afterEach(() => {
    storage.close()
    folder.remove()
  })
  return {
    get path() {
      return folder.path
    },
    get storage() {
      return storage
    },
    disk: (name) => join(folder.path, name),
  }
}

/** The code of the fault with which `work` fails; 'no fault' if it succeeds. */
export function code(work: Promise<unknown>): Promise<unknown> {
  return work.then(
    () => 'no fault',
    (error) => (error instanceof Fault ? error.code : error),
  )
}
