/** The finder: the text typed, the folder searched, and the results. */

import { proxy, ref } from 'valtio'
import * as api from '#ui/api/files/find.ts'
import { assign } from '#ui/lib/assign.ts'
import { ON_DEMAND_LIMITS } from '#ui/lib/on-demand-limits.ts'
import { toFault } from '#ui/lib/to-fault.ts'
import {
  areSearchedInText,
  FOUND_PAGE,
  type Found,
  type FoundTexts,
  parseFind,
} from '#wire/api/find.ts'
import { type Fault, isFault } from '#wire/fault.ts'
import { ROOT, type TreePath } from '#wire/paths.ts'
import { permits } from '#wire/permissions.ts'
import { onUserChange, session } from '../session/session.ts'
import { toQuery } from './query.ts'

interface Finder {
  /** The folder of the page. */
  folder: TreePath
  /** Whether only that folder and its subfolders are searched, and not the whole scope. */
  searchesOnlyHere: boolean
  text: string
  /**
   * `running`: the hits shown, if any, belong to an earlier text. `done`: the names were searched. `failed`: the names or
   * the contents could not be searched.
   */
  status: 'idle' | 'running' | 'done' | 'failed'
  /** The files and folders whose names match; more of them arrive with `findMore`. A `ref`. */
  found: Found
  /** How many of them came first, and are ranked by use. Others are below them, so that no row moves. */
  firstCount: number
  /** Whether more of them are on their way. */
  isFindingMore: boolean
  /** Text files that contain the words. They arrive after `found`. A `ref`. */
  texts: FoundTexts
  /** Whether the contents of files are being searched, after their names. */
  isReading: boolean
  fault: Fault | null
}

const NO_RESULTS = {
  status: 'idle',
  found: ref<Found>({ hits: [], total: 0, isPartial: false }),
  firstCount: 0,
  isFindingMore: false,
  texts: ref<FoundTexts>({ hits: [], isPartial: false }),
  isReading: false,
  fault: null,
} as const satisfies Partial<Finder>

export const finder = proxy<Finder>({
  folder: ROOT,
  searchesOnlyHere: false,
  text: '',
  ...NO_RESULTS,
})

onUserChange(() => reset(ROOT))

/** The running search, or the last one. Undefined after the results were cleared. */
let running: AbortController | undefined
/** The query of the results that are shown, and how many results of the server were read. */
let query: api.FindQuery | undefined
let position = 0

/** Sets the folder of the finder. A change of the folder clears the text and the results. */
export function setFinderFolder(folder: TreePath): void {
  if (folder !== finder.folder) reset(folder)
}

/** Searches for `text` after the debounce. An empty text starts no search. */
export function setFinderText(text: string): void {
  finder.text = text
  void search(ON_DEMAND_LIMITS.searchPauseMs)
}

/** Searches the whole scope, or only the folder and its subfolders. */
export function setFinderOnlyHere(searchesOnlyHere: boolean): void {
  finder.searchesOnlyHere = searchesOnlyHere
  void search(0)
}

/** Starts the search again, for the same text. */
export function repeatSearch(): void {
  void search(0)
}

/** Whether there are results that `findMore` would add. */
export function hasMoreHits(): boolean {
  return finder.status !== 'running' && position < finder.found.total
}

/** Adds the next results of the same text, if there are more. A failure is shown in the finder. */
export async function findMore(): Promise<void> {
  const current = running
  if (!current || !query || finder.isFindingMore || !hasMoreHits()) return
  finder.isFindingMore = true
  try {
    const next = await api.find(finder.folder, { ...query, offset: position }, current.signal)
    if (running !== current) return
    position += FOUND_PAGE
    addHits(next)
  } catch (error) {
    if (running !== current || isFault(error, 'aborted')) return
    assign(finder, { status: 'failed', fault: ref(toFault(error)) })
  } finally {
    if (running === current) finder.isFindingMore = false
  }
}

/** Adds those that are not among the hits yet: the tree may have changed since, so that one is on the next page again. */
function addHits(next: Found): void {
  const known = new Set(finder.found.hits.map(({ path }) => path))
  const hits = [...finder.found.hits, ...next.hits.filter(({ path }) => !known.has(path))]
  finder.found = ref({ ...next, hits })
}

/** Clears the text and the results. */
export function clearFinder(): void {
  reset(finder.folder)
}

/** Searches after `pauseMs`, unless another search begins before. A failure is shown in the finder. */
async function search(pauseMs: number): Promise<void> {
  if (finder.text.trim() === '') {
    clearResults()
    return
  }
  running?.abort()
  const current = new AbortController()
  running = current
  finder.status = 'running'
  await new Promise((resolve) => setTimeout(resolve, pauseMs))
  if (current.signal.aborted) return
  const { folder, text, searchesOnlyHere } = finder
  const asked = { query: toQuery(text), only: searchesOnlyHere }
  try {
    await readNames(folder, asked, current)
    if (running !== current) return
    await readTexts(folder, asked, current.signal)
  } catch (error) {
    if (running !== current || isFault(error, 'aborted')) return
    // Hits of an earlier text are removed. If only the contents could not be searched, the other hits stay.
    if (finder.status === 'running') assign(finder, NO_RESULTS)
    assign(finder, {
      status: 'failed',
      isReading: false,
      isFindingMore: false,
      fault: ref(toFault(error)),
    })
  }
}

/** Shows the names with all words at once, and then similar ones, for which the server looks at every name. */
async function readNames(
  folder: TreePath,
  asked: api.FindQuery,
  current: AbortController,
): Promise<void> {
  const exact = await api.find(folder, { ...asked, exact: true }, current.signal)
  if (running !== current) return
  const isShown = exact.hits.length > 0 || !exact.hasSimilar
  if (isShown) showNames(exact, asked)
  if (!exact.hasSimilar) return
  // The next page begins after the similar names.
  if (isShown) finder.isFindingMore = true
  const all = await api.find(folder, asked, current.signal)
  if (running !== current) return
  if (isShown) addHits(all)
  else showNames(all, asked)
  finder.isFindingMore = false
}

function showNames(found: Found, asked: api.FindQuery): void {
  ;[query, position] = [asked, FOUND_PAGE]
  const firstCount = found.hits.length
  assign(finder, {
    ...NO_RESULTS,
    status: 'done',
    found: ref(found),
    firstCount,
    isReading: mayRead(),
  })
}

/** Whether the contents of files are not searched for the text, because its words are too short. */
export function isTooShortForTexts(text: string): boolean {
  const { words } = parseFind(toQuery(text))
  return mayRead() && words.length > 0 && !areSearchedInText(words)
}

function mayRead(): boolean {
  return session.user !== null && permits(session.user.perm, 'download')
}

/** Searches the contents of files, if the user may read them. */
async function readTexts(
  folder: TreePath,
  query: api.FindQuery,
  signal: AbortSignal,
): Promise<void> {
  if (!finder.isReading) return
  await new Promise((resolve) => setTimeout(resolve, ON_DEMAND_LIMITS.contentSearchPauseMs))
  if (signal.aborted) return
  const texts = await api.findText(folder, query, signal)
  if (!signal.aborted) assign(finder, { texts: ref(texts), isReading: false })
}

function reset(folder: TreePath): void {
  clearResults()
  assign(finder, { folder, searchesOnlyHere: false, text: '' })
}

function clearResults(): void {
  running?.abort()
  running = undefined
  assign(finder, NO_RESULTS)
}
