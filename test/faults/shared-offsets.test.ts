/** Two servers with one folder and one database receive parts of one upload at the same time. */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { API } from '#wire/api/routes.ts'
import { temporaryFolder } from '../support/files/tree.ts'
import { type Client, signInWhenFree } from '../support/server/client.ts'
import { PASSWORD } from '../support/server/passwords.ts'
import { startServer, type TestServer } from '../support/server/server.ts'

const TUS = { 'Tus-Resumable': '1.0.0' }
const ROUNDS = 200
const AT_ONCE = 20
const PART = 1024
const PARTS = 4
/** Pauses between two parts of a body; a holder of a lease finds out in a long one that it is asked to stop. */
const PAUSE_MAX_MS = 20
const LONG_PAUSE_MS = 300

let folder: ReturnType<typeof temporaryFolder>
let servers: TestServer[]
let clients: Client[]
beforeAll(async () => {
  folder = temporaryFolder()
  const root = join(folder.path, 'root')
  mkdirSync(root)
  const database = join(folder.path, 'filemgr.db')
  servers = [await startServer({ root, database }), await startServer({ root, database })]
  clients = []
  for (const { url } of servers) clients.push(await signInWhenFree(url, 'admin', PASSWORD))
}, 60_000)
afterAll(async () => {
  for (const server of servers) await server.stop()
  folder.remove()
})

/** Bytes that a server has acknowledged as written. */
interface Acknowledged {
  from: number
  to: number
  letter: string
}

test('two servers never acknowledge the same bytes of an upload', async () => {
  let conflicts = 0
  for (let first = 0; first < ROUNDS; first += AT_ONCE) {
    const rounds = Array.from({ length: AT_ONCE }, (_, at) => round(`upload-${first + at}`))
    for (const refused of await Promise.all(rounds)) conflicts += refused
  }
  // Otherwise the requests were never at the same time.
  expect(conflicts).toBeGreaterThan(ROUNDS / 10)
}, 300_000)

/** Both servers send an upload from the offset that they see, each with a letter of its own. @returns the refusals */
async function round(name: string): Promise<number> {
  const size = 2 * PARTS * PART
  const headers = { ...TUS, 'Upload-Length': String(size) }
  const created = await clients[0]?.call('POST', `${API.tus}/${name}`, undefined, headers)
  const address = created?.headers.get('location') ?? ''
  const acknowledged: Acknowledged[] = []
  const refused = await Promise.all(
    clients.map((client, at) =>
      sendAll(client, address, { size, letter: 'ab'[at] ?? '', acknowledged }),
    ),
  )
  const content = readFileSync(join(servers[0]?.root ?? '', name), 'utf8')
  expect(content).toMatch(new RegExp(`^[ab]{${size}}$`))
  for (const { from, to, letter } of acknowledged) {
    expect(content.slice(from, to)).toBe(letter.repeat(to - from))
  }
  const inOrder = acknowledged.toSorted((one, other) => one.from - other.from)
  for (const [at, { from }] of inOrder.entries()) {
    expect(from).toBeGreaterThanOrEqual(inOrder[at - 1]?.to ?? 0)
  }
  return refused.reduce((sum, count) => sum + count, 0)
}

async function sendAll(
  client: Client,
  address: string,
  { size, letter, acknowledged }: { size: number; letter: string; acknowledged: Acknowledged[] },
): Promise<number> {
  let [seen, refused] = [0, 0]
  for (;;) {
    const state = await client.call('HEAD', address, undefined, TUS)
    // The other server has published the file, or is about to read its last bytes.
    if (state.status === 404) return refused
    const from = Number(state.headers.get('upload-offset') ?? Number.NaN)
    if (!state.ok) {
      refused += 1
      continue
    }
    expect(from).toBeGreaterThanOrEqual(seen)
    seen = from
    if (from === size) return refused
    const to = Math.min(size, from + PARTS * PART)
    const answer = await client.call('PATCH', address, slowly(letter, to - from), {
      ...TUS,
      'Upload-Offset': String(from),
      'Content-Type': 'application/offset+octet-stream',
    })
    await answer.body?.cancel()
    if (answer.status !== 204) {
      refused += 1
      continue
    }
    expect(answer.headers.get('upload-offset')).toBe(String(to))
    acknowledged.push({ from, to, letter })
    seen = to
  }
}

/** A body of some parts, with random pauses. */
function slowly(letter: string, bytes: number): ReadableStream<Uint8Array<ArrayBuffer>> {
  let left = bytes
  return new ReadableStream({
    async pull(controller) {
      await Bun.sleep(Math.random() < 0.2 ? LONG_PAUSE_MS : Math.random() * PAUSE_MAX_MS)
      const part = Math.min(PART, left)
      left -= part
      controller.enqueue(new TextEncoder().encode(letter.repeat(part)))
      if (left === 0) controller.close()
    },
  })
}
