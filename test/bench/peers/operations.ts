/** What is asked of every server, and how much of it in one round. */
import { type Answer, Connection, requestOf } from './connection.ts'
import type { Peer, Target } from './peer.ts'

export interface Operation {
  name: string
  /** Its name in budgets. */
  key: string
  target: Target
  /** Requests of one round. */
  units: number
  /** One round. */
  run(peer: Peer, address: string): Promise<void>
}

export const FILES = 10_000
export const FILE_BYTES = 10 * 1024
export const MANY = 100_000
export const LARGE_BYTES = 2 ** 30
const RANGE_BYTES = 64 * 1024

const CONNECTIONS = 16
const SMALL_REQUESTS = 4000
const RANGE_REQUESTS = 2000

export const nameOfFile = (at: number): string => `file ${at}.bin`

export const OPERATIONS: readonly Operation[] = [
  {
    name: 'GET of 10 KiB files, 16 connections',
    key: 'small',
    target: 'small',
    units: SMALL_REQUESTS,
    async run(peer, address) {
      const requests = Array.from({ length: SMALL_REQUESTS }, (_, at) => {
        const name = encodeURIComponent(nameOfFile((at * 7) % FILES))
        return requestOf(`${peer.url}${address}${name}`, peer.headers)
      })
      await inParallel(peer, requests, CONNECTIONS, (answer) => mustBe(answer, 200, FILE_BYTES))
    },
  },
  {
    name: '64 KiB range of a large file, one connection',
    key: 'range',
    target: 'large',
    units: RANGE_REQUESTS,
    async run(peer, address) {
      const requests = Array.from({ length: RANGE_REQUESTS }, (_, at) => {
        const first = ((at * 7919) % (LARGE_BYTES / RANGE_BYTES)) * RANGE_BYTES
        const Range = `bytes=${first}-${first + RANGE_BYTES - 1}`
        return requestOf(`${peer.url}${address}`, { ...peer.headers, Range })
      })
      await inParallel(peer, requests, 1, (answer) => mustBe(answer, 206, RANGE_BYTES))
    },
  },
  whole('list 10 000 files', 'list', 'list'),
  whole('list 100 000 files', 'listLarge', 'listLarge'),
  whole('download of 1 GiB', 'large', 'large'),
  whole('zip of 10 000 files, 100 MiB', 'zip', 'zip'),
  whole('tar of the same', 'tar', 'tar'),
  whole('tar.gz of the same', 'targz', 'targz'),
]

/** One answer, whole. */
function whole(name: string, key: string, target: Target): Operation {
  return {
    name,
    key,
    target,
    units: 1,
    async run(peer, address) {
      const request = requestOf(`${peer.url}${address}`, peer.headers)
      await inParallel(peer, [request], 1, (answer) => mustBe(answer, 200, 1))
    },
  }
}

async function inParallel(
  peer: Peer,
  requests: readonly Uint8Array[],
  connections: number,
  check: (answer: Answer) => void,
): Promise<void> {
  let next = 0
  const work = async () => {
    const connection = await Connection.open(peer.url)
    for (let request = requests[next++]; request; request = requests[next++]) {
      check(await connection.send(request))
    }
    connection.close()
  }
  await Promise.all(Array.from({ length: connections }, work))
}

function mustBe({ status, bytes }: Answer, expected: number, bytesMin: number): void {
  if (status !== expected || bytes < bytesMin) {
    throw new Error(`An answer was ${status} with ${bytes} bytes.`)
  }
}
