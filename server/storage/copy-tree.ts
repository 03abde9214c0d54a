/** Copying a tree to a staged name. Works on handles, so nothing swapped meanwhile is followed. */
import { chmodSync, constants, mkdirSync, promises, rmSync, symlinkSync } from 'node:fs'
import type { FlushQueue } from '#server/flush/flush-queue.ts'
import { type Staged, statsAt } from './atomic.ts'
import { copyAttributes } from './attributes.ts'
import { copyWhole } from './copy-file.ts'
import type { Handle, Identity } from './handle.ts'
import { FOLDER_FLAGS } from './local-resolve.ts'
import { isPrivateName } from './private-name.ts'
import type { ResumedCopy } from './resumed-copy.ts'
import { refuseTooDeep } from './tree-depth.ts'

/** Of the bits of a mode, those that a copy keeps: it runs with nobody's rights but its user's. */
const COPIED_FILE_BITS = 0o777
const COPIED_FOLDER_BITS = 0o1777

/** What a name stands for: an object, or the text of a link that leads to nothing. */
export type Copied = { object: Handle; isLink: boolean } | { text: Buffer }

/** Opens what `name` in a folder stands for; undefined for what the copy leaves out. */
export type OpenChild = (folder: Handle, name: string) => Copied | undefined

/**
 * Copies `source` with all it holds to the staged name, with times, permission bits and extended
 * attributes, and forces it to the disk. What a link leads to comes along; a folder behind links comes
 * along once, however many links lead to it, and never inside itself. A link that leads to nothing stays
 * that link. Pipes, sockets and devices are left out.
 *
 * @param resumed what an earlier call has copied stays, and what this one copies, too
 * @throws system errors; what was copied until then stays for the caller to remove
 */
export async function copyTree(
  source: Handle,
  staged: Staged,
  openChild: OpenChild,
  flushes: FlushQueue,
  resumed?: ResumedCopy,
): Promise<void> {
  await new TreeCopy(openChild, flushes, resumed).node(source, staged, [])
}

class TreeCopy {
  readonly #openChild: OpenChild
  readonly #flushes: FlushQueue
  readonly #resumed: ResumedCopy | undefined
  /** Folders that were entered through a link. */
  readonly #entered = new Set<Identity>()

  constructor(openChild: OpenChild, flushes: FlushQueue, resumed: ResumedCopy | undefined) {
    this.#openChild = openChild
    this.#flushes = flushes
    this.#resumed = resumed
  }

  async node(source: Handle, to: Staged, ancestors: readonly Identity[]): Promise<void> {
    const { mode, mtimeMs } = source.stat()
    if (source.stat().isDirectory()) return this.#folder(source, to, ancestors)
    if (!source.stat().isFile()) return
    const attributes = { mode: mode & COPIED_FILE_BITS, modifiedMs: mtimeMs }
    if (this.#resumed) await this.#resumed.file(source, to, attributes, false)
    else await copyWhole(source, to.parent.at(to.name), attributes, this.#flushes)
  }

  async #folder(source: Handle, to: Staged, ancestors: readonly Identity[]): Promise<void> {
    const identity = source.identity()
    if (ancestors.includes(identity)) return
    refuseTooDeep(ancestors.length)
    using readable = source.reopen(constants.O_RDONLY | constants.O_DIRECTORY)
    using copy = this.#resumed ? resumedFolder(to) : newFolder(to)
    const names = readable.names()
    if (this.#resumed) removeOthers(copy, names)
    for (const name of names) {
      if (isPrivateName(name)) continue
      const child = this.#openChild(readable, name)
      if (!child) {
        // What is no link is gone by now, or a file of the server, of which nobody is told.
        const isLink = statsAt({ parent: readable, name })?.isSymbolicLink()
        if (isLink) this.#resumed?.leftOut(readable, name)
        continue
      }
      if ('text' in child) {
        if (this.#resumed) rmSync(copy.at(name), { recursive: true, force: true })
        symlinkSync(child.text, copy.at(name))
        continue
      }
      using object = child.object
      const isSpecial = !object.stat().isDirectory() && !object.stat().isFile()
      if (isSpecial || (child.isLink && !this.#mayEnter(object))) {
        this.#resumed?.leftOut(readable, name)
        continue
      }
      await this.node(object, { parent: copy, name }, [...ancestors, identity])
    }
    const { mode, mtimeMs } = readable.stat()
    const attributes = { mode: mode & COPIED_FOLDER_BITS, modifiedMs: mtimeMs }
    await finishFolder(copy, readable, attributes, this.#flushes)
  }

  #mayEnter(object: Handle): boolean {
    if (!object.stat().isDirectory()) return true
    const identity = object.identity()
    if (this.#entered.has(identity)) return false
    this.#entered.add(identity)
    return true
  }
}

/** A folder for a copy. @throws system errors */
export function newFolder(to: Staged): Handle {
  mkdirSync(to.parent.at(to.name), 0o700)
  return to.parent.child(to.name, FOLDER_FLAGS)
}

/** The same, or the one that an earlier call has made. @throws system errors */
export function resumedFolder(to: Staged): Handle {
  const found = statsAt(to)
  if (!found?.isDirectory()) {
    rmSync(to.parent.at(to.name), { force: true })
    return newFolder(to)
  }
  const folder = to.parent.child(to.name, FOLDER_FLAGS)
  chmodSync(folder.disk, 0o700)
  return folder
}

/** Removes from a copy what the original does not hold any more. */
export function removeOthers(copy: Handle, names: readonly string[]): void {
  const wanted = new Set(names)
  for (const name of copy.names()) {
    if (!wanted.has(name)) rmSync(copy.at(name), { recursive: true, force: true })
  }
}

/** Gives a copied folder what the original has beside its names, and forces it to the disk. */
export async function finishFolder(
  copy: Handle,
  like: Handle,
  { mode, modifiedMs }: { mode: number; modifiedMs: number },
  flushes: FlushQueue,
): Promise<void> {
  copyAttributes(like.fd, copy.fd)
  const file = await promises.open(copy.disk, FOLDER_FLAGS)
  try {
    await file.chmod(mode)
    await file.utimes(Date.now() / 1000, modifiedMs / 1000)
    await flushes.file(file.fd)
  } finally {
    await file.close()
  }
}
