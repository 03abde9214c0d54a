/**
 * One name among 1000 to a million: by the index, by a walk through the folders, and by find(1) on the same tree, in
 * milliseconds from the request to the last hit. The budgets are parts of what find takes.
 */
import { join } from 'node:path'
import { API } from '#wire/routes.ts'
import { INDEX_AGE_HEADER } from '#wire/search.ts'
import { signIn } from '../support/client.ts'
import { startServer, type TestServer } from '../support/server.ts'
import { temporaryFolder } from '../support/tree.ts'
import budgets from './budgets.json' with { type: 'json' }
import { medians, row, runToEnd } from './measure.ts'
import { createFiles } from './names.ts'
import { report } from './report.ts'

const SIZES = [1000, 10_000, 100_000, 1_000_000]
const PER_FOLDER = 100
/** A folder that has changed a moment ago is read again by each search. */
const SETTLED_MS = 2500
/** Trees that a walk of each round goes through. */
const WALKED_MAX = 100_000

type Searcher = (query: string) => Promise<Response>

const figures: Record<string, number> = {}
row(['names', 'first hit ms', 'index ms', 'many hits ms', 'walk ms', 'find ms'])
for (const size of SIZES) await measure(size)
report('one name, as a part of what find takes', budgets.search, figures)

async function measure(size: number): Promise<void> {
  const folder = temporaryFolder()
  const root = join(folder.path, 'root')
  createFiles(size, (number) =>
    join(root, `${Math.floor(number / 10_000)}`, `${Math.floor(number / PER_FOLDER)}`),
  )
  const indexed = await startServer({ root })
  const walking = await startServer({ root, args: ['--index=false'] })
  try {
    const [one, other] = [await searcher(indexed), await searcher(walking)]
    await Bun.sleep(SETTLED_MS)
    const rare = `name ${size - 1}.`
    while ((await search(one, rare)).headers.get(INDEX_AGE_HEADER) === null);
    const { first, index, many, find } = await medians({
      first: () => search(one, rare, 'first'),
      index: () => search(one, rare),
      many: () => search(one, `name ${String(size - 1).slice(0, -2)}`),
      find: () => runToEnd('find', root, '-iname', `*${rare}*`),
    })
    const walked = size <= WALKED_MAX && (await medians({ walk: () => search(other, rare) })).walk
    row([String(size), first, index, many, walked || '–', find])
    figures[`index${size}ToFind`] = index / find
    if (walked) figures[`walk${size}ToFind`] = walked / find
  } finally {
    await indexed.stop()
    await walking.stop()
    folder.remove()
  }
}

/** Where an administrator searches. */
async function searcher({ url, password }: TestServer): Promise<Searcher> {
  const { token } = await signIn(url, 'admin', password)
  return (query) =>
    fetch(`${url}${API.search}/?query=${encodeURIComponent(`"${query}"`)}`, {
      headers: { 'X-Auth': token },
    })
}

async function search(by: Searcher, query: string, until: 'first' | 'end' = 'end') {
  const answer = await by(query)
  const reader = answer.body?.getReader()
  for (;;) {
    const { done } = (await reader?.read()) ?? { done: true }
    if (done || until === 'first') break
  }
  await reader?.cancel()
  return answer
}
