/**
 * A search for one name among 1000 to a million, in milliseconds from the request to the last hit: with the index, with a
 * walk through the folders, and by find(1) in the same tree. With the index also the time to the first hit, that of a
 * search with 111 hits, and that of the finder: for a name, and for one with a typing mistake, which is compared with every
 * name. The budgets are ratios to the time of find, and for the mistake to that of the finder.
 */
import { join } from 'node:path'
import { INDEX_AGE_HEADER } from '#server/files/search/search-hit.ts'
import type { Found } from '#wire/api/find.ts'
import { API } from '#wire/api/routes.ts'
import { temporaryFolder } from '../support/files/tree.ts'
import { signIn } from '../support/server/client.ts'
import { startServer, type TestServer } from '../support/server/server.ts'
import budgets from './budgets.json' with { type: 'json' }
import { medians, printRow, runToEnd } from './measure.ts'
import { createFiles } from './names.ts'
import { report } from './report.ts'

const SIZES = [1000, 10_000, 100_000, 1_000_000]
const PER_FOLDER = 100
/** Of the last number without its last two digits: that name, and those with one and with two more digits. */
const MANY_HITS = 111
/** While a folder is new, each search reads it again. */
const SETTLED_MS = 2500
/** Larger trees are not searched by a walk, which takes too long. */
const WALKED_MAX = 100_000

/** Requests a search, or another URL of the API. @throws Error if the server refuses it */
type Searcher = (query: string, api?: string) => Promise<Response>

const figures: Record<string, number> = {}
printRow(
  ['names', 'first hit ms', 'index ms', 'many hits ms', 'finder ms', 'mistyped ms'].concat([
    'walk ms',
    'find ms',
  ]),
)
for (const size of SIZES) await measure(size)
report('a search for one name, divided by find', budgets.search, figures)

async function measure(size: number): Promise<void> {
  await using resources = new AsyncDisposableStack()
  const folder = temporaryFolder()
  resources.defer(() => folder.remove())
  const root = join(folder.path, 'root')
  createFiles(size, (number) =>
    join(root, `${Math.floor(number / 10_000)}`, `${Math.floor(number / PER_FOLDER)}`),
  )
  const start = async (...args: string[]) => {
    const server = await startServer({ root, args })
    resources.defer(async () => void (await server.stop()))
    return signInAsSearcher(server)
  }
  const [indexed, walking] = [await start(), await start('--index=false')]
  await Bun.sleep(SETTLED_MS)
  const rare = `name ${size - 1}.`
  while ((await search(indexed, rare, 1)).headers.get(INDEX_AGE_HEADER) === null);
  const { first, index, many, finder, mistyped, find } = await medians({
    first: () => firstHit(indexed, rare),
    index: () => search(indexed, rare, 1),
    many: () => search(indexed, `name ${String(size - 1).slice(0, -2)}`, MANY_HITS),
    finder: () => findEntries(indexed, rare),
    mistyped: () => findEntries(indexed, rare.replace('name', 'nmae')),
    find: () => runToEnd('find', root, '-iname', `*${rare}*`),
  })
  const walk = () => search(walking, rare, 1)
  const walkMs = size <= WALKED_MAX ? (await medians({ walk })).walk : undefined
  printRow([String(size), first, index, many, finder, mistyped, walkMs ?? '–', find])
  figures[`index${size}ToFind`] = index / find
  figures[`finder${size}ToFind`] = finder / find
  figures[`mistyped${size}ToFinder`] = mistyped / finder
  if (walkMs !== undefined) figures[`walk${size}ToFind`] = walkMs / find
}

/** Signs in as the administrator, whose searches see all files. */
async function signInAsSearcher({ url, password }: TestServer): Promise<Searcher> {
  const { token } = await signIn(url, 'admin', password)
  return async (query, api = API.search) => {
    const text = api === API.search ? `"${query}"` : query
    const address = `${url}${api}/?query=${encodeURIComponent(text)}`
    const response = await fetch(address, { headers: { 'X-Auth': token } })
    if (!response.ok) throw new Error(`${query}: ${response.status}`)
    return response
  }
}

/** @throws Error if the finder finds nothing */
async function findEntries(searcher: Searcher, query: string): Promise<void> {
  // The route responds with this.
  const { hits } = (await (await searcher(query, API.find)).json()) as Found
  if (hits.length === 0) throw new Error(`${query}: no hits.`)
}

/** @throws Error if the search fails, or does not find so many names */
async function search(searcher: Searcher, query: string, hits: number): Promise<Response> {
  const response = await searcher(query)
  const lines = (await response.text()).split('\n').filter(Boolean)
  if (lines.length !== hits) throw new Error(`${query}: ${lines.length} hits, not ${hits}.`)
  return response
}

/** Reads a search until its first hit. @throws Error if the search fails, or finds nothing */
async function firstHit(searcher: Searcher, query: string): Promise<void> {
  const reader = (await searcher(query)).body?.getReader()
  const { value } = (await reader?.read()) ?? {}
  if (!value) throw new Error(`${query}: no hit.`)
  await reader?.cancel()
}
