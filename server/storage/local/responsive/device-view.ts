/** Reads a view of the tree through the threads of a file system. */

import type { FileStarts, StartOptions } from '#server/storage/file-starts.ts'
import { FolderNodes, type ListOptions } from '#server/storage/folder-nodes.ts'
import type { ByteRange, LeftOutReason, Node, Opened } from '#server/storage/node.ts'
import type { PathCheck } from '#server/storage/storage.ts'
import type { TreePath } from '#wire/paths.ts'
import type { InnerFolder } from '../confine/confined-folder.ts'
import type { Check, ListedFolder, ViewPath } from '../devices/device-tasks.ts'
import type { DeviceThreads } from '../devices/device-threads.ts'
import type { TaskArguments, TaskName, TaskResult } from '../devices/device-worker.ts'
import { toFault } from '../handles/faults.ts'
import { clampRange } from '../handles/open-file.ts'
import { nodesIn } from '../operations/folder-contents.ts'
import { sentTermsOf } from '../read/disk-threads.ts'
import { namesOf, peekRequestOf, startsOfFiles } from '../read/folder-records.ts'
import { DeviceFile } from './device-file.ts'

/** What a view of the tree shows, as in `LocalStorage`. */
export interface View {
  folders: readonly InnerFolder[]
  checkPath: PathCheck | undefined
  followsLinks: boolean
}

/** Each method throws Fault unavailable if the file system does not answer; otherwise as in `Storage`. */
export class DeviceView {
  readonly #threads: DeviceThreads
  readonly #device: string
  readonly #view: View

  constructor(threads: DeviceThreads, device: string, view: View) {
    this.#threads = threads
    this.#device = device
    this.#view = view
  }

  stat(path: TreePath): Promise<Node> {
    return this.#run('node', this.#viewPath(path))
  }

  /** @returns the path of a folder below the served root, with links resolved */
  folderPath(path: TreePath): Promise<TreePath> {
    return this.#run('folderPath', this.#viewPath(path))
  }

  async read(path: TreePath, range?: (node: Node) => ByteRange | undefined): Promise<Opened> {
    const done = await this.#threads.run(this.#device, 'read', this.#viewPath(path))
    try {
      this.#allow(done.checks)
    } catch (error) {
      this.#closeUnused(done)
      throw error
    }
    const opened = faultsOf(() => done.get())
    try {
      const clamped = clampRange(range?.(opened.node), opened.node.sizeBytes)
      return new DeviceFile(this.#threads, this.#device, opened, clamped)
    } catch (error) {
      this.#threads.closeFile(this.#device, opened.fd)
      throw error
    }
  }

  /** @param mounts names of mount points in the folder */
  async list(
    path: TreePath,
    { names }: ListOptions,
    mounts: readonly string[],
  ): Promise<FolderNodes> {
    const request = { names: sentTermsOf(names), mounts }
    return this.#nodesOf(path, await this.#run('list', this.#viewPath(path), request))
  }

  async readStarts(
    path: TreePath,
    files: readonly Node[],
    options: StartOptions,
  ): Promise<FileStarts> {
    const requested = peekRequestOf(files, options)
    const result = await this.#run('starts', this.#viewPath(path), requested)
    return startsOfFiles(result, requested, options.room)
  }

  #nodesOf(
    path: TreePath,
    { records, real, foldsCase, own, reserved, links }: ListedFolder,
  ): FolderNodes {
    const make = nodesIn({ path, real, foldsCase }, records)
    const nodes = new Map<number, Node>()
    const hidden = new Set([...own, ...reserved])
    const all = namesOf(records)
    const left = (position: number, reason: LeftOutReason) => ({
      node: make(all[position] ?? '', position),
      reason,
    })
    const leftOut = reserved.map((position) => left(position, 'reserved'))
    for (const { position, node, checks } of links) {
      if (node === 'outside') leftOut.push(left(position, 'link'))
      if (typeof node === 'object' && this.#allows(checks)) nodes.set(position, node)
      else hidden.add(position)
    }
    const shown = [...all.keys()].filter((position) => !hidden.has(position))
    const nodeOf = (name: string, index: number) => nodes.get(index) ?? make(name, index)
    return new FolderNodes(all, nodeOf, shown, leftOut)
  }

  #viewPath(path: TreePath): ViewPath {
    const { folders, followsLinks } = this.#view
    return { folders, followsLinks, path }
  }

  async #run<Name extends TaskName>(
    task: Name,
    ...args: TaskArguments<Name>
  ): Promise<TaskResult<Name>> {
    const done = await this.#threads.run(this.#device, task, ...args)
    this.#allow(done.checks)
    return faultsOf(() => done.get())
  }

  /** Makes the checks that the thread could not make. */
  #allow(checks: readonly Check[]): void {
    for (const check of checks) this.#view.checkPath?.(...check)
  }

  #allows(checks: readonly Check[]): boolean {
    try {
      this.#allow(checks)
      return true
    } catch {
      return false
    }
  }

  #closeUnused(done: { get(): { fd: number } }): void {
    try {
      this.#threads.closeFile(this.#device, done.get().fd)
    } catch {
      // Nothing was opened.
    }
  }
}

function faultsOf<T>(get: () => T): T {
  try {
    return get()
  } catch (error) {
    throw toFault(error)
  }
}
