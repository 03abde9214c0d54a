/** Extracts the entries of one archive, in batches. */

import type { FillWriter } from '#server/access/scope/fill.ts'
import type { Scope } from '#server/access/scope/scope.ts'
import { type Bytes, destinationOf, type Member } from '#server/archives/member.ts'
import { streamOf } from '#server/archives/streams/stream-of.ts'
import type { StoredItem } from '#server/db/rows/job-rows.ts'
import { SERVER_LIMITS } from '#server/lib/server-limits.ts'
import { pacer } from '#server/lib/slices.ts'
import type { Node } from '#server/storage/node.ts'
import { Fault, type FaultCode, isFault } from '#wire/fault.ts'
import { numberedName } from '#wire/free-names.ts'
import {
  childPath,
  isInside,
  joinPath,
  nameOf,
  parentPath,
  relativePath,
  type TreePath,
} from '#wire/paths.ts'
import type { JobContext } from '../context/job-context.ts'
import { DestinationNames, nameTwice } from '../plans/destination-names.ts'
import { FailedParts } from './failed-parts.ts'

/** Files up to this size are read into memory and written in parallel. */
const SMALL_BYTES = 64 * 1024
const AT_ONCE = 16
/** How many numbered names are tried if the name of an entry is taken. */
const NAMES_MAX = 1000
/** Faults that concern the whole archive and not one entry. */
const ARCHIVE_FAULTS: readonly FaultCode[] = ['tooLarge', 'precondition']

export class Extraction {
  readonly #scope: Scope
  readonly #item: StoredItem
  readonly #context: JobContext
  readonly #to: TreePath
  /** In a ZIP file entries are read independently: after a damaged one the next one can be read. */
  readonly #isZip: boolean
  /** Files that an earlier run has written, and whose entries were not read yet. */
  readonly #written = new Set<TreePath>()
  readonly #names: DestinationNames
  /** Key: that of a destination; value: how the archive spells it. */
  readonly #seen = new Map<string, TreePath>()
  /** Destination → the path of the file that this extraction has written for it. */
  readonly #results = new Map<TreePath, TreePath>()
  /** Small files that are being written. */
  readonly #inFlight = new Set<Promise<void>>()
  /** The number of extracted entries. */
  #done = 0
  readonly failed: FailedParts

  constructor(scope: Scope, item: StoredItem, context: JobContext, to: TreePath, isZip: boolean) {
    this.#scope = scope
    this.#item = item
    this.failed = new FailedParts(item)
    this.#context = context
    this.#to = to
    this.#names = new DestinationNames(scope, to)
    this.#isZip = isZip
  }

  /**
   * Finds the files that an earlier run has written.
   *
   * @throws Fault conflict (the archive is another one than then)
   */
  async skipWritten({ version }: Node): Promise<void> {
    const { sourceVersion } = this.#item
    const created = await this.#context.createdBy(this.#item)
    if (created.length === 0 || sourceVersion === '') {
      this.#item.sourceVersion = version
      await this.#context.saveItem(this.#item)
    }
    if (created.length === 0) return
    if (sourceVersion !== '' && sourceVersion !== version) {
      throw new Fault('conflict', 'The archive was changed before its extraction continued.', {
        reason: 'changedMeanwhile',
      })
    }
    const { real } = await this.#scope.stat(this.#to)
    const folder = joinPath(this.#scope.actor.scope, real)
    for (const path of created) {
      if (isInside(path, folder)) this.#written.add(joinPath(this.#to, relativePath(path, folder)))
    }
  }

  /**
   * Extracts up to `SERVER_LIMITS.extractBatch` entries as one change.
   *
   * @returns whether the archive has no more entries
   * @throws Fault if the archive cannot be read any further, or the job ends
   */
  async extractBatch(members: AsyncIterator<Member, void>, into: FillWriter): Promise<boolean> {
    const inFlight = this.#inFlight
    /** Faults of written files that end the job. */
    const failures: unknown[] = []
    let isOver = false
    try {
      const pace = pacer()
      for (let count = 0; count < SERVER_LIMITS.extractBatch && failures.length === 0; count += 1) {
        this.#context.throwIfStopped()
        await pace()
        const next = await members.next()
        isOver = next.done === true
        if (next.done) break
        const startWrite = await this.#extractEntry(next.value, into)
        if (!startWrite) continue
        const write = startWrite()
          .catch((error) => void failures.push(error))
          .finally(() => inFlight.delete(write))
        inFlight.add(write)
        if (inFlight.size >= AT_ONCE) await Promise.race(inFlight)
      }
    } finally {
      await Promise.all(inFlight)
    }
    if (failures.length > 0) throw failures[0]
    return isOver
  }

  /** @throws Fault if something failed and nothing was extracted */
  throwIfNoneSucceeded(): void {
    this.failed.throwIfNoneSucceeded(this.#done, 'Nothing could be extracted.')
  }

  /** @returns for a small file, the function that writes it; undefined if the entry is already finished */
  async #extractEntry(
    member: Member,
    into: FillWriter,
  ): Promise<(() => Promise<void>) | undefined> {
    const { part } = this.#item
    if (part !== '' && part !== member.name) return undefined
    return this.#recordingFailure(member, async () => {
      if (member.problem !== '') throw new Fault('unsupported', member.problem)
      const spelled = destinationOf(member.name, this.#to)
      const { path, key } = await this.#names.of(spelled)
      const isFolder = member.kind === 'folder'
      const earlier = isFolder ? undefined : this.#seen.get(key)
      const isAgain = earlier !== undefined
      // Two names of which the disk can hold only one are not two versions of a file.
      if (isAgain && (this.#isZip || earlier !== spelled)) throw nameTwice()
      if (!isFolder) this.#seen.set(key, spelled)
      this.#context.meter.next(path)
      if (isFolder) {
        if (path !== this.#to) await into.mkdir(path)
        this.#countDone(0)
      } else if (path === this.#to)
        throw new Fault('badRequest', 'This entry of the archive has no name.', {
          reason: 'nameInvalid',
        })
      else if (member.linkTo !== undefined) await this.#extractLink(member, path, into)
      else if (isAgain) await this.#extractAgain(member, path, into)
      else return this.#extractFile(member, path, into)
      return undefined
    })
  }

  async #extractFile(member: Member, path: TreePath, into: FillWriter) {
    const target = await this.#targetFor(path)
    if (target === undefined) return void this.#countDone(member.sizeBytes)
    const { modifiedMs, sizeBytes, isExecutable } = member
    const options = { overwrite: this.#item.decision === 'replace', modifiedMs, isExecutable }
    const isSmall = sizeBytes <= SMALL_BYTES && this.#item.decision !== 'keepBoth'
    if (!isSmall) {
      await into.write(target, streamOf(this.#metered(member.read())), options)
      this.#results.set(path, target)
      this.#countDone(0)
      return undefined
    }
    const chunks: Uint8Array[] = []
    for await (const chunk of this.#metered(member.read())) chunks.push(chunk)
    const content = Buffer.concat(chunks)
    return async () => {
      await this.#recordingFailure(member, async () => {
        await into.write(target, content, options)
        this.#results.set(path, target)
        this.#countDone(0)
      })
    }
  }

  /** Programs add a newer file at the end of a tar (`tar -r`), so the last one of a name counts. */
  async #extractAgain(member: Member, path: TreePath, into: FillWriter): Promise<void> {
    const { modifiedMs, isExecutable } = member
    const written = await this.#resultAt(path)
    const target = written ?? (await this.#targetFor(path))
    if (target === undefined) return this.#countDone(member.sizeBytes)
    const overwrite = written !== undefined || this.#item.decision === 'replace'
    const content = streamOf(this.#metered(member.read()))
    await into.write(target, content, { overwrite, modifiedMs, isExecutable })
    this.#results.set(path, target)
    this.#countDone(0)
  }

  /** Extracts a further name of an earlier file as a copy of it. */
  async #extractLink(member: Member, path: TreePath, into: FillWriter): Promise<void> {
    const { linkTo = '', sizeBytes, modifiedMs, isExecutable } = member
    const linked = await this.#names.of(destinationOf(linkTo, this.#to))
    const source = await this.#resultAt(linked.path)
    if (source === undefined)
      throw new Fault('unsupported', 'It is a link to an entry that was not extracted.')
    const written = await this.#resultAt(path)
    const target = written ?? (await this.#targetFor(path))
    if (target === undefined || target === source) return this.#countDone(sizeBytes)
    const overwrite = written !== undefined || this.#item.decision === 'replace'
    const { bytes } = await this.#scope.read(source)
    await into.write(target, streamOf(this.#metered(bytes)), {
      overwrite,
      modifiedMs,
      isExecutable,
    })
    this.#results.set(path, target)
    this.#countDone(0)
  }

  /** The file that this extraction has written for a path, when it is complete; undefined if there is none. */
  async #resultAt(path: TreePath): Promise<TreePath | undefined> {
    await Promise.all(this.#inFlight)
    return this.#results.get(path)
  }

  /** @returns the path that a file is written to; undefined if it was written before a restart, or is skipped */
  async #targetFor(path: TreePath): Promise<TreePath | undefined> {
    const { decision } = this.#item
    let candidate = path
    for (let number = 1; number < NAMES_MAX; number += 1) {
      const isWritten = this.#written.delete(candidate)
      const isPath = decision !== 'keepBoth' && decision !== 'skip'
      if (isWritten) this.#results.set(path, candidate)
      if (isWritten) return undefined
      if (isPath || !(await this.#isTaken(candidate))) return candidate
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

  /**
   * Records a fault of one entry, so that the others are extracted.
   *
   * @throws Fault if it concerns the whole archive or job
   */
  async #recordingFailure<T>(member: Member, act: () => Promise<T>): Promise<T | undefined> {
    try {
      return await act()
    } catch (error) {
      this.#context.throwIfStopped()
      if (!(error instanceof Fault) || (await this.#context.endsJob(error))) throw error
      if (ARCHIVE_FAULTS.includes(error.code)) throw error
      if (error.code === 'unprocessable' && !this.#isZip) throw error
      if (this.#item.part !== '') throw error
      this.failed.add(member.name, error)
      return undefined
    }
  }

  #countDone(bytes: number): void {
    this.#done += 1
    if (bytes > 0) this.#context.meter.copied(bytes)
    this.#context.meter.done()
    this.#context.reportProgress()
  }

  /** Passes the bytes on and counts them. */
  async *#metered(bytes: Bytes): AsyncGenerator<Uint8Array, void> {
    for await (const chunk of bytes) {
      this.#context.throwIfStopped()
      this.#context.meter.copied(chunk.length)
      this.#context.reportProgress()
      yield chunk
    }
  }
}
