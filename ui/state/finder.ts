/** The finder: the text typed, the folder searched, and the results. */

import { proxy, ref } from 'valtio'
import { subscribeKey } from 'valtio/utils'
import * as api from '#ui/api/find.ts'
import { assign } from '#ui/lib/assign.ts'
import { ON_DEMAND_LIMITS } from '#ui/lib/on-demand-limits.ts'
import { Fault, isFault } from '#wire/fault.ts'
import type { Found, FoundTexts } from '#wire/find.ts'
import { ROOT, type TreePath } from '#wire/paths.ts'
import { permits } from '#wire/permissions.ts'
import { session } from './session.ts'

interface Finder {
  /** The folder of the page. */
  folder: TreePath
  /** Whether only that folder is searched, and not the whole scope. */
  onlyHere: boolean
  text: string
  /** `running`: the results shown belong to an earlier text. */
  status: 'idle' | 'running' | 'done' | 'failed'
  /** The files and folders whose names match. A `ref`. */
  names: Found
  /** Text files that contain the words. They arrive after `names`. A `ref`. */
  texts: FoundTexts
  /** Whether file contents are being searched. */
  isReading: boolean
  fault: Fault | null
}

const NOTHING = {
  onlyHere: false,
  text: '',
  status: 'idle',
  names: ref<Found>({ hits: [], isPartial: false }),
  texts: ref<FoundTexts>({ hits: [], isPartial: false }),
  isReading: false,
  fault: null,
} as const satisfies Partial<Finder>

export const finder = proxy<Finder>({ folder: ROOT, ...NOTHING })

/** The next user must not see the results of this one. */
subscribeKey(session, 'user', (user) => {
  if (!user) reset(ROOT)
})

/** Aborts the running search. */
let running: AbortController | undefined

/** Sets the folder of the finder. If the folder is the same as before, the results stay. */
export function setFinderFolder(folder: TreePath): void {
  if (folder !== finder.folder) reset(folder)
}

/** Searches for `text` after the debounce. An empty text starts no search. */
export function setFinderText(text: string): void {
  finder.text = text
  void search(ON_DEMAND_LIMITS.searchPauseMs)
}

/** Searches everywhere, or only below the folder. */
export function setFinderOnlyHere(onlyHere: boolean): void {
  finder.onlyHere = onlyHere
  void search(0)
}

/** Repeats the search after a failure. */
export function repeatSearch(): void {
  void search(0)
}

/** Clears the text and the results. */
export function clearFinder(): void {
  reset(finder.folder)
}

/** Searches after `pauseMs`, unless another search begins before. A failure is shown in the finder. */
async function search(pauseMs: number): Promise<void> {
  running?.abort()
  if (finder.text.trim() === '') {
    assign(finder, {
      status: 'idle',
      names: NOTHING.names,
      texts: NOTHING.texts,
      fault: null,
    })
    return
  }
  const current = new AbortController()
  running = current
  finder.status = 'running'
  await new Promise((resolve) => setTimeout(resolve, pauseMs))
  if (current.signal.aborted) return
  const { folder, text, onlyHere } = finder
  const query = { query: text, only: onlyHere }
  try {
    const names = await api.find(folder, query, current.signal)
    if (running !== current) return
    assign(finder, {
      status: 'done',
      names: ref(names),
      texts: NOTHING.texts,
      isReading: mayRead(),
      fault: null,
    })
    await readTexts(folder, query, current.signal)
  } catch (error) {
    if (running !== current || isFault(error, 'aborted')) return
    const fault = error instanceof Fault ? error : new Fault('internal', String(error))
    const nothing = { names: NOTHING.names, texts: NOTHING.texts }
    assign(finder, { ...nothing, status: 'failed', fault: ref(fault) })
  }
}

function mayRead(): boolean {
  return session.user !== null && permits(session.user.perm, 'download')
}

/** Searches file contents, if the user may read them. A failure is not shown, because the names were found. */
async function readTexts(
  folder: TreePath,
  query: Parameters<typeof api.findText>[1],
  signal: AbortSignal,
): Promise<void> {
  if (!finder.isReading) return
  await new Promise((resolve) => setTimeout(resolve, ON_DEMAND_LIMITS.contentSearchPauseMs))
  if (signal.aborted) return
  const texts = await api.findText(folder, query, signal).catch(() => NOTHING.texts)
  if (!signal.aborted) assign(finder, { texts: ref(texts), isReading: false })
}

function reset(folder: TreePath): void {
  running?.abort()
  running = undefined
  assign(finder, { ...NOTHING, folder })
}
