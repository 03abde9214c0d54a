/**
 * Extraction: an archive is read once, and each entry is published alone, through the Scope. So many of them are one
 * change of the journal, and may be written at the same time.
 *
 * A server that was killed begins the archive again: what its changes have made by then is passed over.
 */

import type { Scope } from '#server/access/scope.ts'
import type { Filling } from '#server/access/scope-fill.ts'
import type { StoredItem } from '#server/db/job-rows.ts'
import { openArchive } from '#server/extract/archive.ts'
import { type Bytes, destinationOf, type Member } from '#server/extract/member.ts'
import { Fault, type FaultCode, isFault } from '#wire/fault.ts'
import { numberedName } from '#wire/free-names.ts'
import { LIMITS } from '#wire/limits.ts'
import {
  childPath,
  isInside,
  joinPath,
  nameOf,
  parentPath,
  relativePath,
  type TreePath,
} from '#wire/paths.ts'
import { FailedParts } from './failed-parts.ts'
import { streamOf } from './stream-of.ts'
import type { Doing, Work } from './work.ts'

/** Such files are taken into memory, and written while others are. */
const SMALL_BYTES = 64 * 1024
const AT_ONCE = 16
/** Entries between two turns of the event loop, where none of them is written. */
const SLICE = 64
/** Free names that are tried beside one that is taken. */
const NAMES_MAX = 1000
/** What is wrong with the archive, and not with one entry. */
const OF_ARCHIVE: readonly FaultCode[] = ['tooLarge', 'precondition']

export const extract: Doing = async (scope, item, work) => {
  const { path, part } = item
  const to = work.job.to
  if (to === '') throw new Fault('internal', 'An extraction goes nowhere.')
  const archive = await openArchive(scope, path)
  const run = new Extraction(scope, item, work, to, archive.kind === 'zip')
  await run.passOverMade()
  const members = archive.members()
  try {
    await scope.fill.run('extract', { from: path, to }, async (change) => {
      for (let isOver = false; !isOver; ) {
        let failure: unknown
        await change(async (into) => {
          try {
            isOver = await run.some(members, into)
          } catch (error) {
            // What was made until now is one whole change.
            failure = error
          }
        })
        if (failure) throw failure
      }
    })
  } finally {
    // What is said of the archive is not said of the entry at hand.
    work.meter.current = ''
    await members.return()
    if (part === '') work.putParts(item, run.failed.items)
  }
  run.mustHaveDone()
  return to
}

class Extraction {
  readonly #scope: Scope
  readonly #item: StoredItem
  readonly #work: Work
  readonly #to: TreePath
  /** Each entry is read by itself: one that is damaged says nothing of the others. */
  readonly #isZip: boolean
  readonly #made = new Set<TreePath>()
  readonly #seen = new Set<TreePath>()
  #done = 0
  readonly failed: FailedParts

  constructor(scope: Scope, item: StoredItem, work: Work, to: TreePath, isZip: boolean) {
    this.#scope = scope
    this.#item = item
    this.failed = new FailedParts(item)
    this.#work = work
    this.#to = to
    this.#isZip = isZip
  }

  async passOverMade(): Promise<void> {
    const made = this.#work.madeBy(this.#item)
    if (made.length === 0) return
    const { real } = await this.#scope.stat(this.#to)
    const folder = joinPath(this.#scope.actor.scope, real)
    for (const path of made) {
      if (isInside(path, folder)) this.#made.add(joinPath(this.#to, relativePath(path, folder)))
    }
  }

  /** The next entries. @returns whether there are no more @throws Fault: the archive, or the job, cannot go on */
  async some(members: AsyncIterator<Member, void>, into: Filling): Promise<boolean> {
    const underWay = new Set<Promise<void>>()
    try {
      for (let count = 0; count < LIMITS.extractBatch; count += 1) {
        this.#work.goOn()
        if (count % SLICE === SLICE - 1) await new Promise(setImmediate)
        const next = await members.next()
        if (next.done) return true
        const writing = await this.#entry(next.value, into)
        if (!writing) continue
        const ended = writing().finally(() => underWay.delete(ended))
        underWay.add(ended)
        // Whoever waits for all of them below hears of a failure.
        ended.catch(() => undefined)
        if (underWay.size >= AT_ONCE) await Promise.race(underWay)
      }
      return false
    } finally {
      await Promise.all(underWay)
    }
  }

  /** @throws Fault where nothing was extracted, and something failed */
  mustHaveDone(): void {
    this.failed.mustHaveDone(this.#done, 'Nothing could be extracted.')
  }

  /** Extracts one, or gives back what does. */
  async #entry(member: Member, into: Filling): Promise<(() => Promise<void>) | undefined> {
    const { part } = this.#item
    if (part !== '' && part !== member.name) return undefined
    return this.#orFail(member, async () => {
      if (member.problem !== '') throw new Fault('unsupported', member.problem)
      const path = destinationOf(member.name, this.#to)
      const isFolder = member.kind === 'folder'
      if (this.#seen.has(path) && !isFolder) {
        throw new Fault('conflict', 'The archive holds this name twice.')
      }
      this.#seen.add(path)
      this.#work.meter.next(path)
      if (isFolder) {
        if (path !== this.#to) await into.mkdir(path)
        this.#count(0)
      } else if (path === this.#to) throw new Fault('badRequest', 'It has no name.')
      else return this.#file(member, path, into)
      return undefined
    })
  }

  async #file(member: Member, path: TreePath, into: Filling) {
    const target = await this.#target(path)
    if (target === undefined) return void this.#count(member.sizeBytes)
    const { modifiedMs, sizeBytes } = member
    const options = { overwrite: this.#item.decision === 'replace', modifiedMs }
    const isSmall = sizeBytes <= SMALL_BYTES && this.#item.decision !== 'keepBoth'
    if (!isSmall) {
      await into.write(target, streamOf(this.#metered(member.read())), options)
      this.#count(0)
      return undefined
    }
    const parts: Uint8Array[] = []
    for await (const part of this.#metered(member.read())) parts.push(part)
    const content = Buffer.concat(parts)
    return async () => {
      await this.#orFail(member, async () => {
        await into.write(target, content, options)
        this.#count(0)
      })
    }
  }

  /** Where a file goes; undefined for one that is there already, or is skipped. */
  async #target(path: TreePath): Promise<TreePath | undefined> {
    const { decision } = this.#item
    let candidate = path
    for (let number = 1; number < NAMES_MAX; number += 1) {
      if (this.#made.delete(candidate)) return undefined
      if (decision !== 'keepBoth' && decision !== 'skip') return path
      if (!(await this.#isTaken(candidate))) return candidate
      if (decision === 'skip') return undefined
      candidate = childPath(parentPath(path), numberedName(nameOf(path), number))
    }
    throw new Fault('conflict', 'The name is already taken.')
  }

  async #isTaken(path: TreePath): Promise<boolean> {
    try {
      await this.#scope.stat(path)
      return true
    } catch (error) {
      if (isFault(error, 'notFound')) return false
      throw error
    }
  }

  /** An entry that fails is named, and the others go on. @throws what ends all */
  async #orFail<T>(member: Member, act: () => Promise<T>): Promise<T | undefined> {
    try {
      return await act()
    } catch (error) {
      this.#work.goOn()
      if (!(error instanceof Fault) || this.#work.endsJob(error)) throw error
      if (OF_ARCHIVE.includes(error.code)) throw error
      if (error.code === 'unprocessable' && !this.#isZip) throw error
      if (this.#item.part !== '') throw error
      this.failed.add(member.name, error)
      return undefined
    }
  }

  #count(bytes: number): void {
    this.#done += 1
    if (bytes > 0) this.#work.meter.copied(bytes)
    this.#work.meter.done()
    this.#work.changed()
  }

  async *#metered(bytes: Bytes): AsyncGenerator<Uint8Array, void> {
    for await (const part of bytes) {
      this.#work.goOn()
      this.#work.meter.copied(part.length)
      this.#work.changed()
      yield part
    }
  }
}
