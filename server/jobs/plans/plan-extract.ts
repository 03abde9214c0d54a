/** Plans an extraction: reads the list of entries and writes nothing. */

import { createHash } from 'node:crypto'
import type { Scope } from '#server/access/scope/scope.ts'
import { destinationOf, type Member } from '#server/archives/member.ts'
import { openArchive } from '#server/archives/read/open-archive.ts'
import { SERVER_LIMITS } from '#server/lib/server-limits.ts'
import { pacer } from '#server/lib/slices.ts'
import { Fault, type FaultCode, faultHeader, isFault } from '#wire/fault.ts'
import type { NameEncoding } from '#wire/name-encodings.ts'
import { isInside, parentPath, ROOT, type TreePath } from '#wire/paths.ts'
import { DestinationNames, nameTwice } from './destination-names.ts'
import type { PlanEntry } from './plan-entry.ts'

/** Faults of the archive or the destination that end the request; others are part of the plan. */
const ENDS_PLAN: readonly FaultCode[] = ['internal', 'unauthenticated']

/** What the extraction of one archive would do. */
export interface ArchivePlan {
  item: PlanEntry
  /** The first entries that are refused, and the first whose name is taken. */
  refusedEntries: PlanEntry[]
  takenEntries: PlanEntry[]
  files: number
  /** With those that only the names of files contain. */
  folders: number
  taken: number
  refused: number
  isPartial: boolean
  /** Changes if the archive's content or the set of taken names changes. Without meaning if `item` has a fault. */
  digest: string
}

/**
 * @returns the plan; a fault of the archive is part of it
 * @throws Fault internal, unauthenticated
 */
export async function inspectArchive(
  scope: Scope,
  { path, decision }: Pick<PlanEntry, 'decision'> & { path: TreePath },
  to: TreePath,
  encoding: NameEncoding | undefined,
): Promise<ArchivePlan> {
  const inspection = new ArchiveInspection(scope, { path, decision }, to, encoding)
  try {
    await inspection.inspect()
  } catch (error) {
    if (!(error instanceof Fault) || ENDS_PLAN.includes(error.code)) throw error
    Object.assign(inspection.result.item, { problem: error.message, fault: faultHeader(error) })
  }
  return { ...inspection.result, digest: inspection.digest() }
}

class ArchiveInspection {
  readonly #scope: Scope
  readonly #to: TreePath
  readonly #encoding: NameEncoding | undefined
  readonly #hash = createHash('sha256')
  /** Key: that of a destination; value: how the archive spells it. */
  readonly #seen = new Map<string, TreePath>()
  readonly #names: DestinationNames
  #hasLastName = false
  readonly #folders = new Set<TreePath>()
  readonly result: Omit<ArchivePlan, 'digest'>

  constructor(
    scope: Scope,
    requested: Pick<PlanEntry, 'path' | 'decision'>,
    to: TreePath,
    encoding: NameEncoding | undefined,
  ) {
    this.#scope = scope
    this.#to = to
    this.#names = new DestinationNames(scope, to)
    this.#encoding = encoding
    const uncounted = { part: '', isDir: false, files: 0, bytes: 0, taken: false } as const
    const item: PlanEntry = { ...requested, ...uncounted, to, problem: '', fault: '' }
    this.result = {
      item,
      refusedEntries: [],
      takenEntries: [],
      files: 0,
      folders: 0,
      taken: 0,
      refused: 0,
      isPartial: false,
    }
  }

  digest(): string {
    return this.#hash.digest('base64url')
  }

  /**
   * Reads all entries of a zip, which contains a list of them. Of another archive that is long, reads the first part.
   *
   * @throws Fault that refuses the whole archive
   */
  async inspect(): Promise<void> {
    if (!this.#scope.may('create')) {
      throw new Fault('forbidden', 'You do not have permission to create files or folders.')
    }
    if (!this.#scope.may('download')) {
      throw new Fault('forbidden', 'You do not have permission to download.')
    }
    await requireFolder(this.#scope, this.#to)
    const { item } = this.result
    const encoding = this.#encoding
    const archive = await openArchive(this.#scope, item.path, { encoding })
    this.#hash.update(`${encoding ?? ''} ${archive.node.version}`)
    const hasList = archive.kind === 'zip'
    this.#hasLastName = !hasList
    const pace = pacer()
    let bytes = 0
    for await (const member of archive.members()) {
      await pace()
      bytes += member.sizeBytes
      await this.#addEntry(member)
      const isTooLong = !hasList && bytes > SERVER_LIMITS.planArchiveBytes
      if (!isTooLong) continue
      this.result.isPartial = true
      break
    }
  }

  /** Counts a folder and those above it, which an archive need not list. */
  #countFolders(folder: TreePath): void {
    for (
      let above = folder;
      isInside(above, this.#to) && above !== this.#to && !this.#folders.has(above);
      above = parentPath(above)
    ) {
      this.#folders.add(above)
      this.result.folders += 1
    }
  }

  async #addEntry(member: Member): Promise<void> {
    const { item } = this.result
    const entry = { ...item, part: member.name, bytes: member.sizeBytes, files: 1 }
    try {
      if (member.problem !== '') throw new Fault('unsupported', member.problem)
      const spelled = destinationOf(member.name, this.#to)
      const { path, isTaken, key } = await this.#names.of(spelled)
      entry.to = path
      const isFolder = member.kind === 'folder'
      const earlier = isFolder ? undefined : this.#seen.get(key)
      // The last one of a name counts in a tar. Two names of which the disk can hold only one are no such case.
      const isTwice = earlier !== undefined && (!this.#hasLastName || earlier !== spelled)
      if (isTwice) throw nameTwice()
      if (!isFolder) this.#seen.set(key, spelled)
      this.#countFolders(isFolder ? path : parentPath(path))
      if (!isFolder && earlier === undefined && isTaken) {
        if (item.decision === 'replace' && !this.#scope.may('overwrite')) {
          throw new Fault('forbidden', 'You do not have permission to replace files.')
        }
        this.result.taken += 1
        this.#hash.update(path)
        this.#list(this.result.takenEntries, { ...entry, taken: true })
      }
      item.files += 1
      if (!isFolder) this.result.files += 1
      item.bytes += member.sizeBytes
    } catch (error) {
      if (!(error instanceof Fault)) throw error
      this.result.refused += 1
      this.#list(this.result.refusedEntries, {
        ...entry,
        problem: error.message,
        fault: faultHeader(error),
      })
    }
  }

  #list(entries: PlanEntry[], entry: PlanEntry): void {
    if (entries.length < SERVER_LIMITS.planItemsShown) entries.push(entry)
  }
}

/**
 * Checks that the folder, or the one above it, exists.
 *
 * @throws Fault notFound, notDirectory, forbidden
 */
async function requireFolder(scope: Scope, to: TreePath): Promise<void> {
  for (const folder of [to, parentPath(to)]) {
    try {
      if ((await scope.stat(folder)).kind === 'folder') return
      throw new Fault('notDirectory', 'The destination is a file, not a folder.')
    } catch (error) {
      if (!isFault(error, 'notFound') || to === ROOT) throw error
    }
  }
  throw new Fault('notFound', 'The folder does not exist.')
}
