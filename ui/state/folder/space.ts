/** What takes up space in a folder, and the search for files with the same content. */
import { proxy, ref } from 'valtio'
import * as api from '#ui/api/files/space.ts'
import { assign } from '#ui/lib/assign.ts'
import { toFault } from '#ui/lib/to-fault.ts'
import type { Entry } from '#wire/api/entry.ts'
import type { SpaceReport } from '#wire/api/space.ts'
import { type Fault, isFault } from '#wire/fault.ts'
import type { TreePath } from '#wire/paths.ts'
import { onUserChange } from '../session/session.ts'

interface SameContentState {
  state: 'none' | 'running' | 'ended'
  /** Groups of files with the same content, in the order in which they were found. */
  groups: readonly (readonly Entry[])[]
  /** Bytes that were compared, and of all files of equal size; undefined until the files are listed. */
  progress: { done: number; total: number } | undefined
  isPartial: boolean
  fault: Fault | undefined
}

const NOTHING: SameContentState = {
  state: 'none',
  groups: [],
  progress: undefined,
  isPartial: false,
  fault: undefined,
}

export const sameContent = proxy<SameContentState>({ ...NOTHING })

/**
 * Sums up a folder. An earlier request ends.
 * @throws Fault notFound, forbidden, tooMany, aborted
 */
export function loadSpace(folder: TreePath): Promise<SpaceReport> {
  reporting?.abort()
  reporting = new AbortController()
  return api.report(folder, reporting.signal)
}

/** Ends all requests of the page, and clears what they found. */
export function clearSpace(): void {
  reporting?.abort()
  clearSame()
}

let reporting: AbortController | undefined
let running: AbortController | undefined

/** Searches files with the same content. What was found before is cleared. */
export async function findSame(folder: TreePath): Promise<void> {
  clearSame()
  const current = new AbortController()
  running = current
  sameContent.state = 'running'
  try {
    await api.sameContent(folder, current.signal, (line) => {
      if (running !== current) return
      if ('same' in line) sameContent.groups = ref([...sameContent.groups, line.same])
      else {
        const { done, total, isPartial } = line
        assign(sameContent, { progress: { done, total }, isPartial })
      }
    })
  } catch (error) {
    if (running === current && !isFault(error, 'aborted')) sameContent.fault = ref(toFault(error))
  }
  if (running === current) sameContent.state = 'ended'
}

/** Ends the search. What was found stays. */
export function stopSame(): void {
  running?.abort()
  running = undefined
  if (sameContent.state === 'running') assign(sameContent, { state: 'ended', isPartial: true })
}

/** Ends the search and clears what was found. */
function clearSame(): void {
  stopSame()
  assign(sameContent, NOTHING)
}

/** Removes files that were moved or deleted; a group of one file is none. */
export function dropFromGroups(paths: ReadonlySet<string>): void {
  const groups = sameContent.groups
    .map((group) => group.filter(({ path }) => !paths.has(path)))
    .filter(({ length }) => length > 1)
  sameContent.groups = ref(groups)
}

/** The next user must not see the files of this one. */
onUserChange(clearSpace)
