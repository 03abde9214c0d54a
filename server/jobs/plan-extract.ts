/** What an extraction would do: the archive is looked through, and nothing is made. */
import { createHash } from 'node:crypto'
import type { Scope } from '#server/access/scope.ts'
import { openArchive } from '#server/extract/archive.ts'
import { destinationOf, type Member } from '#server/extract/member.ts'
import { Fault, type FaultCode, isFault } from '#wire/fault.ts'
import { LIMITS } from '#wire/limits.ts'
import { nameOf, parentPath, ROOT, type TreePath } from '#wire/paths.ts'
import type { LookedAt } from './looked-at.ts'

const ENDS_PLAN: readonly FaultCode[] = ['internal', 'unauthenticated']
/** Entries between two turns of the event loop. */
const SLICE = 256

/** An archive as it was looked through. */
export interface LookedInto {
  whole: LookedAt
  /** Entries whose name is taken, and those that would be refused; the first of them. */
  entries: LookedAt[]
  folders: number
  taken: number
  refused: number
  isPartial: boolean
  /** Another one for other content, and for other names that are taken. */
  digest: string
}

/** @throws Fault internal, unauthenticated; what is wrong with the archive is in the answer */
export async function lookInto(
  scope: Scope,
  { path, decision }: Pick<LookedAt, 'decision'> & { path: TreePath },
  to: TreePath,
): Promise<LookedInto> {
  const look = new Look(scope, { path, decision }, to)
  try {
    await look.all()
  } catch (error) {
    if (!(error instanceof Fault) || ENDS_PLAN.includes(error.code)) throw error
    Object.assign(look.found.whole, { problem: error.message, fault: error.code })
  }
  return { ...look.found, digest: look.digest() }
}

class Look {
  readonly #scope: Scope
  readonly #to: TreePath
  readonly #hash = createHash('sha256')
  readonly #seen = new Set<TreePath>()
  /** Names in folders that are there; undefined for a folder that is not. */
  readonly #names = new Map<TreePath, Set<string> | undefined>()
  readonly found: Omit<LookedInto, 'digest'>

  constructor(scope: Scope, asked: Pick<LookedAt, 'path' | 'decision'>, to: TreePath) {
    this.#scope = scope
    this.#to = to
    const nothing = { part: '', isDir: false, files: 0, bytes: 0, taken: false } as const
    const whole: LookedAt = { ...asked, ...nothing, to, problem: '', fault: '' }
    this.found = { whole, entries: [], folders: 0, taken: 0, refused: 0, isPartial: false }
  }

  digest(): string {
    return this.#hash.digest('base64url')
  }

  /** @throws Fault */
  async all(): Promise<void> {
    if (!this.#scope.may('create')) {
      throw new Fault('forbidden', 'You do not have permission to create files or folders.')
    }
    if (!this.#scope.may('download')) {
      throw new Fault('forbidden', 'You do not have permission to download.')
    }
    await mustHaveFolder(this.#scope, this.#to)
    const { whole } = this.found
    const archive = await openArchive(this.#scope, whole.path as TreePath)
    this.#hash.update(archive.node.version)
    const isIndexed = archive.kind === 'zip'
    let count = 0
    for await (const member of archive.members()) {
      count += 1
      if (count % SLICE === 0) await new Promise(setImmediate)
      await this.#entry(member)
      const isMuch = !isIndexed && whole.bytes > LIMITS.planArchiveBytes
      if (!isMuch) continue
      this.found.isPartial = true
      break
    }
  }

  async #entry(member: Member): Promise<void> {
    const { whole } = this.found
    const entry = { ...whole, part: member.name, bytes: member.sizeBytes, files: 1 }
    try {
      if (member.problem !== '') throw new Fault('unsupported', member.problem)
      const path = destinationOf(member.name, this.#to)
      entry.to = path
      const isFolder = member.kind === 'folder'
      if (!isFolder && this.#seen.has(path)) {
        throw new Fault('conflict', 'The archive holds this name twice.')
      }
      this.#seen.add(path)
      whole.files += 1
      whole.bytes += member.sizeBytes
      if (isFolder) this.found.folders += 1
      else if (await this.#isTaken(path)) {
        if (whole.decision === 'replace' && !this.#scope.may('overwrite')) {
          throw new Fault('forbidden', 'You do not have permission to replace files.')
        }
        this.found.taken += 1
        this.#hash.update(path)
        this.#show({ ...entry, taken: true })
      }
    } catch (error) {
      if (!(error instanceof Fault)) throw error
      this.found.refused += 1
      this.#show({ ...entry, problem: error.message, fault: error.code })
    }
  }

  #show(entry: LookedAt): void {
    if (this.found.entries.length < LIMITS.planItemsShown) this.found.entries.push(entry)
  }

  async #isTaken(path: TreePath): Promise<boolean> {
    const folder = parentPath(path)
    if (!this.#names.has(folder)) this.#names.set(folder, await this.#namesIn(folder))
    return this.#names.get(folder)?.has(nameOf(path)) === true
  }

  /** What cannot be listed has nothing that is taken: the job says what becomes of it. */
  async #namesIn(folder: TreePath): Promise<Set<string> | undefined> {
    const above = parentPath(folder)
    const isMissing = folder !== this.#to && this.#names.has(above) && !this.#names.get(above)
    if (isMissing) return undefined
    try {
      return new Set((await this.#scope.list(folder)).map(({ path }) => nameOf(path)))
    } catch (error) {
      if (error instanceof Fault) return undefined
      throw error
    }
  }
}

/** The folder is there, or the one that it would be made in. @throws Fault notFound, notDirectory, forbidden */
async function mustHaveFolder(scope: Scope, to: TreePath): Promise<void> {
  for (const folder of [to, parentPath(to)]) {
    try {
      if ((await scope.stat(folder)).kind === 'folder') return
      throw new Fault('notDirectory', 'A file has the name of the folder.')
    } catch (error) {
      if (!isFault(error, 'notFound') || to === ROOT) throw error
    }
  }
  throw new Fault('notFound', 'The folder is not there.')
}
