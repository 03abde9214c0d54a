/** A storage with a name index, and the results of a search without it for comparison. */
import { afterEach, beforeEach } from 'bun:test'
import { join } from 'node:path'
import type { Scope } from '#server/access/scope/scope.ts'
import { search } from '#server/files/search/search.ts'
import { type IndexOptions, WorkerIndex } from '#server/index/name-index.ts'
import { LocalStorage } from '#server/storage/local/local-storage.ts'
import type { Storage } from '#server/storage/storage.ts'
import { ROOT, type TreePath } from '#wire/paths.ts'
import { scopeOn } from '../files/archives.ts'
import { temporaryFolder } from '../files/tree.ts'
import { STORAGE_OPTIONS } from './served.ts'

export interface Indexed {
  /** The served folder on the disk. */
  path: string
  storage: LocalStorage
  index: WorkerIndex
  /** Lines that the index has logged. */
  logged: string[]
  disk(name: string): string
  /** Closes the index and opens another one on the same folder. */
  restart(options?: Partial<IndexOptions>): Promise<void>
}

/** Opens a storage and its index before each test of the file, and removes everything after it. */
export function indexForEach(fill: (disk: (name: string) => string) => void): Indexed {
  let folder: ReturnType<typeof temporaryFolder>
  let storage: LocalStorage
  let index: WorkerIndex
  const logged: string[] = []
  const disk = (name: string) => join(folder.path, 'root', name)
  const own = () => ({ files: [disk('secret.db')], folders: [join(folder.path, 'cache')] })
  async function open(options: Partial<IndexOptions> = {}): Promise<void> {
    storage = await LocalStorage.open(disk(''), { ...STORAGE_OPTIONS, ownPaths: own() })
    index = new WorkerIndex({
      path: disk(''),
      root: storage.root,
      ownPaths: own(),
      folder: join(folder.path, 'cache'),
      version: '1',
      memoryBytes: 2 ** 28,
      ...options,
    })
    storage.attachIndex(index)
    index.start((line) => logged.push(line))
    await index.ready()
  }
  beforeEach(async () => {
    folder = temporaryFolder()
    logged.length = 0
    fill(disk)
    await open()
  })
  afterEach(() => {
    index.close()
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
    get index() {
      return index
    },
    logged,
    disk,
    async restart(options) {
      index.close()
      storage.close()
      await open(options)
    },
  }
}

/** The results of a search, sorted by name, and whether the index answered. */
export async function found(
  scope: Scope,
  query: string,
  folder: TreePath = ROOT,
): Promise<{ paths: string[]; indexed: boolean }> {
  const { index, hits } = await search(scope, folder, query, new AbortController().signal)
  const all = (await Array.fromAsync(hits)).flat()
  const paths = all.map(({ dir, path }) => `${path}${dir ? '/' : ''}`).sort()
  return { paths, indexed: index !== undefined }
}

/** The results of a search that walks the tree. */
export async function walked(
  storage: Storage,
  query: string,
  folder: TreePath = ROOT,
  options?: Parameters<typeof scopeOn>[1],
): Promise<string[]> {
  return (await found(scopeOn(withoutIndex(storage), options), query, folder)).paths
}

/** The same storage without its index. */
function withoutIndex(storage: Storage): Storage {
  return new Proxy(storage, {
    get(target, key) {
      if (key === 'can') return { ...target.can, names: undefined }
      const value = Reflect.get(target, key, target)
      if (key !== 'within') return typeof value === 'function' ? value.bind(target) : value
      return (...args: Parameters<Storage['within']>) => withoutIndex(target.within(...args))
    },
  })
}
