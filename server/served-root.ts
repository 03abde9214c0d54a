/**
 * Whether the folder at the path to serve is the one that was served there before. The disk of a served folder may be
 * mounted late, so that an empty folder is at its path, or at another path.
 */
import { statSync } from 'node:fs'
import type { OpenFolderAt } from '#server/storage/local/handles/handle.ts'
import { unmountedIn } from '#server/storage/local/mounts/unmounted.ts'
import { databaseOf, setDatabase } from '#server/storage/local/private/root-database.ts'
import { type SeenRoot, seeRoot } from '#server/storage/local/private/root-identity.ts'
import { folderOpenerOf, storageKindOf } from '#server/storage/portable/choose-storage.ts'
import { Fault } from '#wire/fault.ts'
import type { RootRows } from './db/roots.ts'

const CONSEQUENCES =
  'is not the folder that was served here before. Its disk may not be mounted. Nothing is changed, and nothing is served until it is there.'

/**
 * What operators should know about disks at or below the folder to serve that are not mounted.
 *
 * @param root its real path
 * @returns a sentence for each
 */
export function noticesOfUnmounted(root: string): string[] {
  return unmountedIn(root).map(
    (path) =>
      `No disk is mounted at ${path}. What users store there goes to the disk of the folder above it, and the next mount hides it.`,
  )
}

/**
 * Thrown if another folder is at the path of the served one. Nothing was changed. The message is sent to everybody, so it
 * has no path.
 */
export class AbsentRoot extends Fault {
  /** The message with the path, and with the way to serve the other folder. */
  readonly operatorMessage: string
  readonly #isPresent: () => boolean

  constructor(root: string, isPresent: () => boolean) {
    super('unavailable', `The served folder ${CONSEQUENCES}`)
    this.operatorMessage = `The folder ${root} ${CONSEQUENCES} To serve this folder instead, start once with --new-root.`
    this.#isPresent = isPresent
  }

  /** Whether the folder is at its path by now. */
  isPresent(): boolean {
    try {
      return this.#isPresent()
    } catch {
      return false
    }
  }
}

/** @throws AbsentRoot; system errors */
export async function requireServedRoot(root: string, rows: RootRows): Promise<void> {
  const [expected, hasTrash] = [await rows.identityAt(root), await rows.hasTrash(root)]
  const isThere = () => isServedRoot(seen(root), expected, hasTrash)
  if (!isThere()) throw new AbsentRoot(root, isThere)
}

/** @throws Fault conflict if another database has claimed the folder */
export async function requireOwnDatabase(root: string, rows: RootRows): Promise<void> {
  const owner = databaseOf(root, opener())
  if (owner === undefined || owner === (await rows.databaseId())) return
  throw new Fault(
    'conflict',
    `The folder ${root} is served with another database, which has its users, trash and journal. Name that one with --database. To serve it with this one instead, start once with --new-root.`,
  )
}

/**
 * Stores that the folder belongs to this database, if that claims folders.
 *
 * @param identity of the folder that was opened; undefined if it cannot be written
 */
export async function noteDatabase(
  root: string,
  identity: string | undefined,
  rows: RootRows,
): Promise<void> {
  if (identity === undefined) return
  const id = await rows.databaseId()
  if (databaseOf(root, opener()) !== id) setDatabase(root, opener(), id)
}

/**
 * Stores which folder is at a path from now on. The rows of the folder that was there before stay with that one.
 *
 * @param identity of the folder that was opened; undefined if it has none, because it cannot be written
 * @param isServed whether another server serves the folder at a path now
 * @returns what it was before: a `copy` has the identity of a folder that is still at its own path, and needs another one
 * @throws Fault conflict (another server serves the same folder at another path)
 */
export async function adoptRoot(
  root: string,
  identity: string | undefined,
  rows: RootRows,
  isServed: (path: string) => Promise<boolean>,
): Promise<'same' | 'moved' | 'copy'> {
  if (identity === undefined) return 'same'
  const expected = await rows.identityAt(root)
  if (expected === identity) return 'same'
  const before = await rows.pathOf(identity)
  // Another server that starts at the same time has stored it since.
  if (before === root) return 'same'
  if (before !== undefined && isElsewhere(before, root, identity)) return 'copy'
  if (before !== undefined && (await isServed(before))) throw servedElsewhere(root, before)
  if (expected !== undefined) await rows.move(root, `${root} (${expected})`)
  if (before !== undefined) await rows.move(before, root)
  await rows.put(root, identity)
  return before === undefined ? 'same' : 'moved'
}

/**
 * Notices if everything in the served folder was copied, with its identity, to another disk or folder.
 *
 * @param identity of the folder at the path
 */
export async function noteRootObject(
  root: string,
  identity: string | undefined,
  rows: RootRows,
): Promise<void> {
  if (identity === undefined) return
  const { ino, birthtimeMs } = statSync(root)
  await rows.setObject(identity, `${ino}@${birthtimeMs}`)
}

/** @throws AbsentRoot if the folder that is served is not at its path any more */
export function requireStillThere(root: string, identity: string | undefined): void {
  const isThere = () => identity === undefined || seen(root).identity === identity
  if (!isThere()) throw new AbsentRoot(root, isThere)
}

function servedElsewhere(root: string, path: string): Fault {
  return new Fault(
    'conflict',
    `The folder ${root} is served by another server at ${path}. The path must be the same on all machines. A server that was killed is forgotten after half a minute.`,
  )
}

function isServedRoot(seen: SeenRoot, expected: string | undefined, hasTrash: boolean): boolean {
  if (seen.isBlocked) return true
  if (expected !== undefined) return seen.identity === expected
  // Earlier versions stored no identity. Where they kept content, there is a private folder.
  return seen.hasPrivateFolder || !hasTrash
}

/** Whether a folder with this identity is at another path, and is not the same one, mounted twice. */
function isElsewhere(path: string, root: string, identity: string): boolean {
  if (seenAt(path)?.identity !== identity) return false
  const [one, other] = [statSync(path), statSync(root)]
  return one.dev !== other.dev || one.ino !== other.ino
}

function seen(path: string): SeenRoot {
  return seeRoot(path, opener())
}

/** A look needs no promise, so it is done by what the system has. */
function opener(): OpenFolderAt {
  return folderOpenerOf(storageKindOf('auto'))
}

function seenAt(path: string): SeenRoot | undefined {
  try {
    return seen(path)
  } catch {
    return undefined
  }
}
