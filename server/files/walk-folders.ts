/** Walks the folders below a folder, the nearest first. Links are not followed. */
import type { Scope } from '#server/access/scope/scope.ts'
import type { ListOptions } from '#server/storage/folder-nodes.ts'
import type { Node } from '#server/storage/node.ts'
import { isFault, isRefusedBySystem } from '#wire/fault.ts'
import type { TreePath } from '#wire/paths.ts'

/** A walk has so many folders listed at the same time. */
const READ_AHEAD = 4

/** What a walk notes. */
export interface WalkNotes {
  /** Whether folders were left out because they are too deep. */
  isCut: boolean
  /** Whether folders were left out because their disk does not respond. */
  isSilent: boolean
  /** Whether folders were left out because the server may not read them. */
  isRefused?: boolean
}

/**
 * Yields what the actor may see in each folder, in one piece. Ends when the signal is aborted; folders that were removed,
 * are too deep or may not be read are skipped.
 *
 * @param options which names of a folder are listed, beside its folders
 */
export async function* walkFolders(
  scope: Scope,
  from: TreePath,
  notes: WalkNotes,
  signal: AbortSignal,
  options: ListOptions = {},
): AsyncGenerator<Node[], void> {
  const pending = [from]
  /** The listings of the next folders of `pending`. */
  const listings: Promise<Node[]>[] = []
  using ended = abortOf(signal)
  for (let next = 0; next < pending.length; next += 1) {
    for (const path of pending.slice(next + listings.length, next + READ_AHEAD)) {
      const listing = listReadable(scope, path, notes, options)
      // An error is thrown below, if the walk comes so far.
      listing.catch(() => undefined)
      listings.push(listing)
    }
    // A disk that does not answer may let it wait for longer than the walk may take.
    const nodes = (await Promise.race([listings.shift(), ended.promise])) ?? []
    if (signal.aborted) return
    for (const { kind, isLink, path } of nodes) {
      if (kind === 'folder' && !isLink) pending.push(path)
    }
    yield nodes
  }
}

/** A promise that resolves when the signal is aborted. */
export function abortOf(signal: AbortSignal): Disposable & { promise: Promise<undefined> } {
  const { promise, resolve } = Promise.withResolvers<undefined>()
  const abort = () => resolve(undefined)
  signal.addEventListener('abort', abort)
  if (signal.aborted) abort()
  return { promise, [Symbol.dispose]: () => signal.removeEventListener('abort', abort) }
}

async function listReadable(
  scope: Scope,
  path: TreePath,
  notes: WalkNotes,
  options: ListOptions,
): Promise<Node[]> {
  try {
    return await scope.list(path, options)
  } catch (error) {
    // What is elsewhere is found although one disk does not respond.
    if (isFault(error, 'unavailable')) notes.isSilent = true
    else if (!hasNothingFor(error)) throw error
    if (isTooDeep(error)) notes.isCut = true
    if (isRefusedBySystem(error)) notes.isRefused = true
    return []
  }
}

/** Whether an error says that paths in a folder would be too deep. */
export function isTooDeep(error: unknown): boolean {
  return isFault(error) && error.reason === 'tooDeep'
}

/** Whether an error says that a folder has nothing for the actor. */
export function hasNothingFor(error: unknown): boolean {
  return isFault(error, 'notFound', 'notDirectory', 'forbidden', 'outside', 'badRequest')
}
