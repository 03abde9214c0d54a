/** Stores handles of files being uploaded in IndexedDB, the only storage that accepts them. */
import type { FileHandle } from '#ui/lib/gestures/file-handles.ts'
import type { TreePath } from '#wire/paths.ts'

interface HandleKey {
  path: TreePath
  userId: number
}

const DATABASE = 'filemgr.uploads'
const STORE = 'handles'

/**
 * The last operation of the queue. Operations run one after the other, so that a handle that is stored and then
 * deleted at once does not stay in the store.
 */
let lastOperation: Promise<unknown> = Promise.resolve()

export function storeHandle(key: HandleKey, handle: FileHandle): void {
  lastOperation = lastOperation.then(() =>
    run('readwrite', (store) => store.put(handle, keyOf(key))),
  )
}

export function deleteHandle(key: HandleKey): void {
  lastOperation = lastOperation.then(() => run('readwrite', (store) => store.delete(keyOf(key))))
}

/** @returns undefined if no handle is stored, or the browser refuses storage */
export async function readHandle(key: HandleKey): Promise<FileHandle | undefined> {
  await lastOperation
  // Only `storeHandle` stores values, and all are handles.
  return (await run('readonly', (store) => store.get(keyOf(key)))) as FileHandle | undefined
}

function keyOf({ path, userId }: HandleKey): string {
  return `${userId} ${path}`
}

/**
 * Runs one database operation.
 *
 * @returns undefined if it fails
 */
async function run(
  mode: IDBTransactionMode,
  request: (store: IDBObjectStore) => IDBRequest,
): Promise<unknown> {
  try {
    const opening = indexedDB.open(DATABASE, 1)
    opening.onupgradeneeded = () => opening.result.createObjectStore(STORE)
    const database = await resultOf(opening)
    try {
      return await resultOf(request(database.transaction(STORE, mode).objectStore(STORE)))
    } finally {
      database.close()
    }
  } catch {
    return undefined
  }
}

function resultOf<Result>(request: IDBRequest<Result>): Promise<Result> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result)
    request.onerror = () => reject(request.error)
  })
}
