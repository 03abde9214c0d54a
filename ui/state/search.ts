/** The search: what was looked for, where, and what has been found so far. */
import { proxy, ref } from 'valtio'
import { subscribeKey } from 'valtio/utils'
import * as api from '#ui/api/search.ts'
import { Fault, isFault } from '#wire/fault.ts'
import { ROOT, type TreePath } from '#wire/paths.ts'
import type { SearchHit } from '#wire/search.ts'
import { session } from './session.ts'

interface Search {
  /** Where the person is. */
  folder: TreePath
  /** Everywhere, and not below that folder alone. */
  everywhere: boolean
  /** What was run last; empty until then. */
  query: string
  /** `idle`: nothing was run. `stopped`: by the person. */
  status: 'idle' | 'running' | 'done' | 'stopped' | 'failed'
  /** A `ref` that grows in place; `count` tells how far. Paths begin at `baseOf(search)`. */
  hits: readonly SearchHit[]
  count: number
  fault: Fault | null
}

const NOTHING = {
  everywhere: false,
  query: '',
  status: 'idle',
  hits: ref<readonly SearchHit[]>([]),
  count: 0,
  fault: null,
} as const satisfies Partial<Search>

export const search = proxy<Search>({ folder: ROOT, ...NOTHING })

/** The next person to sign in sees nothing of this one's. */
subscribeKey(session, 'user', (user) => {
  if (!user) reset(ROOT)
})

/** How often the page hears of new hits, in milliseconds. */
const PUBLISH_MS = 100

let running: AbortController | undefined

/** From now on searches are about this folder; coming back to it finds the last one again. */
export function searchFrom(folder: TreePath): void {
  if (folder !== search.folder) reset(folder)
}

/** The folder that is searched. */
export function baseOf({ everywhere, folder }: Pick<Search, 'everywhere' | 'folder'>): TreePath {
  return everywhere ? ROOT : folder
}

/** Searches everywhere or below the folder, at once when something was looked for already. */
export async function widenSearch(everywhere: boolean): Promise<void> {
  search.everywhere = everywhere
  await runSearch(search.query)
}

/** Looks for `query`; an empty one is ignored (docs/specification.md 5). The search before it ends. */
export async function runSearch(query: string): Promise<void> {
  if (query.trim() === '') return
  running?.abort()
  const current = new AbortController()
  running = current
  const hits: SearchHit[] = []
  Object.assign(search, { query, status: 'running', hits: ref(hits), count: 0, fault: null })
  const publish = () => {
    if (running === current) search.count = hits.length
  }
  const timer = setInterval(publish, PUBLISH_MS)
  try {
    for await (const found of api.search(baseOf(search), query, current.signal)) {
      hits.push(...found)
      if (search.count === 0) publish()
    }
    settle(current, 'done')
  } catch (error) {
    settle(current, 'failed', error)
  } finally {
    clearInterval(timer)
  }
}

/** Keeps what was found so far. */
export function stopSearch(): void {
  if (!running) return
  const stopped = running
  settle(stopped, 'stopped')
  stopped.abort()
}

function settle(current: AbortController, status: Search['status'], error?: unknown): void {
  if (running !== current || isFault(error, 'aborted')) return
  running = undefined
  const fault =
    error instanceof Fault ? error : new Fault('internal', String(error), { cause: error })
  const count = search.hits.length
  Object.assign(search, { status, count, fault: error === undefined ? null : ref(fault) })
}

function reset(folder: TreePath): void {
  running?.abort()
  running = undefined
  Object.assign(search, { ...NOTHING, folder })
}
