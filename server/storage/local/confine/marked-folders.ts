/** Folders that ignore the case of names on a file system that is otherwise case-sensitive (`chattr +F`). */
import { existsSync, openSync, statfsSync } from 'node:fs'
import { dirname } from 'node:path'
import { isMarkedCaseless } from '#server/os/inode-flags.ts'
import { DescriptorHandle } from '../handles/descriptor.ts'
import { diskPath, type Handle } from '../handles/handle.ts'
import { FOLDER_FLAGS } from '../handles/resolve.ts'

/** Magic numbers (statfs(2)) of file systems that can have such folders: ext4, F2FS, tmpfs, bcachefs, overlay. */
const FILE_SYSTEMS = [0xef53, 0xf2f52010, 0x01021994, 0xca451a4e, 0x794c7630]
/** One of `KERNEL_FEATURES` exists if the kernel supports such folders. Without /sys/fs they count as supported. */
const KERNEL_FILES = '/sys/fs'
const KERNEL_FEATURES = ['ext4', 'f2fs', 'tmpfs', 'bcachefs'].map(
  (name) => `${KERNEL_FILES}/${name}/features/casefold`,
)
/** How long results are cached. A folder can only be marked while it is empty, so old results do little harm. */
const FRESH_MS = 1000
/** The cache is emptied at this number of folders. */
const FOLDERS_MAX = 10_000

export class MarkedFolders {
  readonly #root: Handle
  readonly #isPossible =
    !existsSync(KERNEL_FILES) || KERNEL_FEATURES.some((path) => existsSync(path))
  /** Key: `dev` of a file system; value: whether its folders can be marked. */
  readonly #devices = new Map<number, boolean>()
  /** Key: the real path of a folder; value: whether it, or a folder above it below the root, is marked. */
  #known = new Map<string, boolean>()
  #untilMs = 0

  /** @param root the caller closes it after the last call */
  constructor(root: Handle) {
    this.#root = root
  }

  /** Whether an object, or a folder on the path from the root to it, is a marked folder. */
  hasOnPathTo(object: Handle): boolean {
    if (!this.#isPossible) return false
    if (Date.now() >= this.#untilMs || this.#known.size >= FOLDERS_MAX) {
      this.#known = new Map()
      this.#untilMs = Date.now() + FRESH_MS
    }
    const path = object.realPath()
    return this.#hasOnPathTo(
      object.stat().isDirectory() ? path : dirname(path),
      this.#root.realPath(),
    )
  }

  #hasOnPathTo(folder: string, root: string): boolean {
    const known = this.#known.get(folder)
    if (known !== undefined) return known
    const isBelow = folder.length > root.length
    const isMarked = (isBelow && this.#hasOnPathTo(dirname(folder), root)) || this.#isMarked(folder)
    this.#known.set(folder, isMarked)
    return isMarked
  }

  #isMarked(path: string): boolean {
    try {
      using folder = new DescriptorHandle(openSync(diskPath(path), FOLDER_FLAGS))
      return this.#mayBeMarked(folder) && isMarkedCaseless(folder.fd)
    } catch {
      // A folder whose names cannot be read counts as not marked.
      return false
    }
  }

  #mayBeMarked(folder: Handle): boolean {
    const { dev } = folder.stat()
    const known = this.#devices.get(dev)
    if (known !== undefined) return known
    const mayBeMarked = FILE_SYSTEMS.includes(statfsSync(folder.disk).type)
    this.#devices.set(dev, mayBeMarked)
    return mayBeMarked
  }
}
