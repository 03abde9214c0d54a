/** A storage on a folder of its own for each test, and what its work ends with. */
import { afterEach, beforeEach } from 'bun:test'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { LocalStorage } from '#server/storage/local.ts'
import { Fault } from '#wire/fault.ts'
import { temporaryFolder } from './tree.ts'

export const STORAGE_OPTIONS = {
  fileMode: 0o640,
  folderMode: 0o750,
  own: { files: [], folders: [] },
} as const

/** What each test finds anew. */
export interface Served {
  /** The folder of the test; the served one is it, or lies in it. */
  path: string
  storage: LocalStorage
}

/**
 * Opens a storage before each test of the file, and removes all of it after.
 *
 * @param root the served folder in the test's own; the same when absent
 * @param fill puts into the folder what each test begins with
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

/** The code of the fault that work ends with; 'no fault' when it succeeds. */
export function code(work: Promise<unknown>): Promise<unknown> {
  return work.then(
    () => 'no fault',
    (error) => (error instanceof Fault ? error.code : error),
  )
}
