/**
 * Extracts an archive. The archive is read once, and each entry is published as a file of its own. Entries are
 * written in batches: one batch is one change in the journal, and its small files are written in parallel.
 *
 * After a restart the archive is read again from the start. Entries that earlier batches have written are skipped, so it
 * must be the same archive.
 */

import type { Scope } from '#server/access/scope.ts'
import type { FillWriter } from '#server/access/scope-fill.ts'
import type { StoredItem } from '#server/db/job-rows.ts'
import { openArchive } from '#server/extract/archive.ts'
import { type Bytes, destinationOf, type Member } from '#server/extract/member.ts'
import { streamOf } from '#server/extract/stream-of.ts'
import type { Node } from '#server/storage/node.ts'
import { Fault, type FaultCode, isFault } from '#wire/fault.ts'
import { numberedName } from '#wire/free-names.ts'
import { LIMITS } from '#wire/limits.ts'
import { NAME_ENCODINGS, type NameEncoding } from '#wire/name-encodings.ts'
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
import type { ItemHandler, JobContext } from './job-context.ts'

/** Files up to this size are read into memory and written in parallel. */
const SMALL_BYTES = 64 * 1024
const AT_ONCE = 16
/** The event loop gets a turn after so many entries, even if none of them is written. */
const YIELD_EVERY = 64
/** How many numbered names are tried if the name of an entry is taken. */
const NAMES_MAX = 1000
/** Faults that concern the whole archive and not one entry. */
const ARCHIVE_FAULTS: readonly FaultCode[] = ['tooLarge', 'precondition']

export const extractItem: ItemHandler = async (scope, item, context) => {
  const { path, part } = item
  const to = context.job.to
  if (to === '') throw new Fault('internal', 'An extraction needs a destination.')
  const archive = await openArchive(scope, path, { encoding: parseEncoding(context.job.source) })
  const run = new Extraction(scope, item, context, to, archive.kind === 'zip')
  await run.skipWritten(archive.node)
  const members = archive.members()
  try {
    await scope.fill.run('extract', { from: path, to }, async (change) => {
      for (let isOver = false; !isOver; ) {
        let failure: unknown
        await change(async (into) => {
          try {
            isOver = await run.extractBatch(members, into)
          } catch (error) {
            // The files that were already written stay as one complete change.
            failure = error
          }
        })
        if (failure) throw failure
      }
    })
  } finally {
    // A later fault of the archive must not name the last entry.
    context.meter.current = ''
    await members.return()
    if (part === '') context.replaceParts(item, run.failed.items)
  }
  run.throwIfNoneSucceeded()
  return to
}

/** The encoding that the user chose for the names; undefined if none. */
function parseEncoding(text: string): NameEncoding | undefined {
  return NAME_ENCODINGS.find((known) => known === text)
}

class Extraction {
  readonly #scope: Scope
  readonly #item: StoredItem
  readonly #context: JobContext
  readonly #to: TreePath
  /** In a ZIP file entries are read independently: after a damaged one the next one can be read. */
  readonly #isZip: boolean
  /** Files that an earlier run has written, and whose entries were not read yet. */
  readonly #written = new Set<TreePath>()
  /** The destinations of the entries so far. */
  readonly #seen = new Set<TreePath>()
  /** The number of extracted entries. */
  #done = 0
  readonly failed: FailedParts

  constructor(scope: Scope, item: StoredItem, context: JobContext, to: TreePath, isZip: boolean) {
    this.#scope = scope
    this.#item = item
    this.failed = new FailedParts(item)
    this.#context = context
    this.#to = to
    this.#isZip = isZip
  }

  /**
   * Finds the files that an earlier run has written.
   *
   * @throws Fault conflict (the archive is another one than then)
   */
  async skipWritten({ version }: Node): Promise<void> {
    const { sourceVersion } = this.#item
    const created = this.#context.createdBy(this.#item)
    if (created.length === 0 || sourceVersion === '') {
      this.#item.sourceVersion = version
      this.#context.saveItem(this.#item)
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
   * Extracts up to `LIMITS.extractBatch` entries as one change.
   *
   * @returns whether the archive has no more entries
   * @throws Fault if the archive cannot be read any further, or the job ends
   */
  async extractBatch(members: AsyncIterator<Member, void>, into: FillWriter): Promise<boolean> {
    const inFlight = new Set<Promise<void>>()
    /** Faults of written files that end the job. */
    const failures: unknown[] = []
    let isOver = false
    try {
      for (let count = 0; count < LIMITS.extractBatch && failures.length === 0; count += 1) {
        this.#context.throwIfStopped()
        if (count % YIELD_EVERY === YIELD_EVERY - 1) await new Promise(setImmediate)
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
      const path = destinationOf(member.name, this.#to)
      const isFolder = member.kind === 'folder'
      if (this.#seen.has(path) && !isFolder) {
        throw new Fault('conflict', 'The archive contains this name twice.', {
          reason: 'nameTwice',
        })
      }
      this.#seen.add(path)
      this.#context.meter.next(path)
      if (isFolder) {
        if (path !== this.#to) await into.mkdir(path)
        this.#countDone(0)
      } else if (path === this.#to)
        throw new Fault('badRequest', 'This entry of the archive has no name.')
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
      this.#countDone(0)
      return undefined
    }
    const chunks: Uint8Array[] = []
    for await (const chunk of this.#metered(member.read())) chunks.push(chunk)
    const content = Buffer.concat(chunks)
    return async () => {
      await this.#recordingFailure(member, async () => {
        await into.write(target, content, options)
        this.#countDone(0)
      })
    }
  }

  /** @returns the path that a file is written to; undefined if it was written before a restart, or is skipped */
  async #targetFor(path: TreePath): Promise<TreePath | undefined> {
    const { decision } = this.#item
    let candidate = path
    for (let number = 1; number < NAMES_MAX; number += 1) {
      if (this.#written.delete(candidate)) return undefined
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
      if (!(error instanceof Fault) || this.#context.endsJob(error)) throw error
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
