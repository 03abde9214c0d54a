/** Limits of depth: of a walk, which keeps a folder open for each level, and of the paths in a moved or copied tree. */

import { SERVER_LIMITS } from '#server/lib/server-limits.ts'
import { Fault } from '#wire/fault.ts'
import { hasEscapes } from '#wire/names.ts'
import { DEPTH_MAX, segmentsOf, type TreePath, tooDeep } from '#wire/paths.ts'
import { lstatAt, type Slot } from './atomic.ts'
import { fileCalls } from './file-calls.ts'
import type { Handle } from './handle.ts'
import { isPermissionError } from './is-readable.ts'
import { FOLDER_FLAGS } from './resolve.ts'

/**
 * @param depth levels below the top
 * @throws Fault tooLarge
 */
export function refuseTooDeep(depth: number): void {
  if (depth <= SERVER_LIMITS.treeDepthMax) return
  throw new Fault(
    'tooLarge',
    `This folder contains more than ${SERVER_LIMITS.treeDepthMax} levels of folders.`,
    { reason: 'tooDeep', params: { levels: SERVER_LIMITS.treeDepthMax } },
  )
}

/** Whether `to` has more levels than `from`, so that paths inside a moved folder may become too deep. */
export function isDeeper(from: TreePath, to: TreePath): boolean {
  return segmentsOf(to).length > segmentsOf(from).length
}

/**
 * Refuses to move or copy a folder so far down that the paths in it become too deep to be opened. A folder that the
 * server's account may not read is passed over: nothing in it can be opened anyway.
 *
 * @throws Fault badRequest; system errors
 */
export async function refuseTooDeepIn(source: Slot, to: TreePath): Promise<void> {
  const levelsLeft = DEPTH_MAX - segmentsOf(to).length

  async function visit({ parent, name }: Slot, depth: number): Promise<void> {
    if (!lstatAt({ parent, name })?.isDirectory()) return
    using folder = openReadable({ parent, name })
    if (!folder) return
    const entries = await fileCalls.entries(folder.disk)
    if (entries.length > 0 && depth === levelsLeft) throw tooDeep()
    // Names that are not UTF-8 are read as bytes.
    const names = entries.some(({ name }) => name.includes('\ufffd') || hasEscapes(name))
      ? folder.names()
      : entries
          .filter((entry) => !entry.isFile() && !entry.isSymbolicLink())
          .map(({ name }) => name)
    for (const name of names) await visit({ parent: folder, name }, depth + 1)
  }

  await visit(source, 0)
}

function openReadable({ parent, name }: Slot): Handle | undefined {
  try {
    return parent.child(name, FOLDER_FLAGS)
  } catch (error) {
    if (isPermissionError(error)) return undefined
    throw error
  }
}
