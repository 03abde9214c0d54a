/** What the servers do, and how much of it in one round. */
import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { type Answer, Connection, requestOf } from './connection.ts'
import { at, type Peer, type Target } from './peer.ts'

export interface Operation {
  name: string
  /** Its name in budgets. */
  key: string
  target: Target
  /** Requests or files of one round. */
  units: number
  rounds: number
  /** Whether it writes into a new folder, which `run` receives. */
  writes?: boolean
  /** One round. */
  run(peer: Peer, address: string, folder: NewFolder): Promise<void>
}

/** An empty folder for uploads. */
export interface NewFolder {
  name: string
  /** On this machine. */
  path: string
}

export const FILES = 10_000
export const FILE_BYTES = 10 * 1024
export const MANY = 100_000
export const LARGE_BYTES = 2 ** 30
export const PHOTOS = 40
const RANGE_BYTES = 64 * 1024

const ROUNDS = 7
/** A round of uploads takes seconds. */
const UPLOAD_ROUNDS = 3
const CONNECTIONS = 16
const UPLOAD_CONNECTIONS = 5
const SMALL_REQUESTS = 4000
const RANGE_REQUESTS = 2000
const THUMBNAIL_REQUESTS = 4000
const UPLOADS = 2000

const content = new Uint8Array(FILE_BYTES).fill(65)
const block = new Uint8Array(4 * 2 ** 20).fill(65)

export const nameOfFile = (index: number): string => `file ${index}.bin`
export const nameOfPhoto = (index: number): string => `${index}.jpg`

export const OPERATIONS: readonly Operation[] = [
  {
    name: 'GET of 10 KiB files, 16 connections',
    key: 'small',
    target: 'small',
    units: SMALL_REQUESTS,
    rounds: ROUNDS,
    async run(peer, address) {
      const requests = Array.from({ length: SMALL_REQUESTS }, (_, index) => {
        return get(peer, at(address, nameOfFile((index * 7) % FILES)))
      })
      await inParallel(peer, requests, CONNECTIONS, (answer) => mustBe(answer, 200, FILE_BYTES))
    },
  },
  {
    name: '64 KiB range of a large file, one connection',
    key: 'range',
    target: 'large',
    units: RANGE_REQUESTS,
    rounds: ROUNDS,
    async run(peer, address) {
      const requests = Array.from({ length: RANGE_REQUESTS }, (_, index) => {
        const first = ((index * 7919) % (LARGE_BYTES / RANGE_BYTES)) * RANGE_BYTES
        return get(peer, address, { Range: `bytes=${first}-${first + RANGE_BYTES - 1}` })
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
  {
    name: 'stored thumbnails of 12 megapixels, 16 connections',
    key: 'thumbnails',
    target: 'thumbnails',
    units: THUMBNAIL_REQUESTS,
    rounds: ROUNDS,
    async run(peer, address) {
      const requests = Array.from({ length: THUMBNAIL_REQUESTS }, (_, index) => {
        return get(peer, at(address, nameOfPhoto(index % PHOTOS)))
      })
      await inParallel(peer, requests, CONNECTIONS, (answer) => mustBe(answer, 200, 1000))
    },
  },
  uploads('upload of 2000 files of 10 KiB, 5 connections', 'upload', put),
  uploads('the same by tus', 'tus', tus),
  {
    name: 'upload of 1 GiB',
    key: 'uploadLarge',
    target: 'upload',
    units: 1,
    rounds: UPLOAD_ROUNDS,
    writes: true,
    async run(peer, address, folder) {
      const length = { 'Content-Length': String(LARGE_BYTES) }
      const url = `${peer.url}${at(address, folder.name, 'large.bin')}`
      const head = requestOf(url, { ...peer.headers, ...length }, peer.uploadMethod)
      const blocks = Array.from({ length: LARGE_BYTES / block.length }, () => block)
      await inParallel(peer, [[[head, ...blocks]]], 1, mustBeDone)
      mustHold(folder, 1, LARGE_BYTES)
    },
  },
]

/** One response, read to its end. */
function whole(name: string, key: string, target: Target): Operation {
  return {
    name,
    key,
    target,
    units: 1,
    rounds: ROUNDS,
    async run(peer, address) {
      await inParallel(peer, [get(peer, address)], 1, (answer) => mustBe(answer, 200, 1))
    },
  }
}

/** Small files, each by the requests that `sequenceOf` returns. */
function uploads(
  name: string,
  target: 'upload' | 'tus',
  sequenceOf: (peer: Peer, address: string) => Sequence,
): Operation {
  return {
    name,
    key: target,
    target,
    units: UPLOADS,
    rounds: UPLOAD_ROUNDS,
    writes: true,
    async run(peer, address, folder) {
      const sequences = Array.from({ length: UPLOADS }, (_, index) => {
        return sequenceOf(peer, at(address, folder.name, nameOfFile(index)))
      })
      await inParallel(peer, sequences, UPLOAD_CONNECTIONS, mustBeDone)
      mustHold(folder, UPLOADS, FILE_BYTES)
    },
  }
}

/** The parts of a request: its head and its body. */
type Request = Uint8Array[]

/** Requests that are sent one after the other. */
type Sequence = readonly Request[]

function get(peer: Peer, address: string, headers: Record<string, string> = {}): Sequence {
  return [[requestOf(`${peer.url}${address}`, { ...peer.headers, ...headers })]]
}

function put(peer: Peer, address: string): Sequence {
  const headers = { ...peer.headers, 'Content-Length': String(content.length) }
  return [[requestOf(`${peer.url}${address}`, headers, peer.uploadMethod), content]]
}

/** Creates an upload, and sends its content in one request. */
function tus(peer: Peer, address: string): Sequence {
  const url = `${peer.url}${address}`
  const length = String(content.length)
  const creation = { ...peer.headers, 'Upload-Length': length, 'Content-Length': '0' }
  const sending = {
    ...peer.headers,
    'Upload-Offset': '0',
    'Content-Type': 'application/offset+octet-stream',
    'Content-Length': length,
  }
  return [[requestOf(url, creation, 'POST')], [requestOf(url, sending, 'PATCH'), content]]
}

async function inParallel(
  peer: Peer,
  sequences: readonly Sequence[],
  connections: number,
  check: (answer: Answer) => void,
): Promise<void> {
  let next = 0
  const work = async () => {
    const connection = await Connection.open(peer.url)
    for (let sequence = sequences[next++]; sequence; sequence = sequences[next++]) {
      for (const request of sequence) check(await connection.send(...request))
    }
    connection.close()
  }
  await Promise.all(Array.from({ length: connections }, work))
}

function mustBe({ status, bytes }: Answer, expected: number, bytesMin: number): void {
  if (status !== expected || bytes < bytesMin) {
    throw new Error(`A response was ${status} with ${bytes} bytes.`)
  }
}

function mustBeDone({ status }: Answer): void {
  if (status < 200 || status > 204) throw new Error(`An upload was answered with ${status}.`)
}

/** @throws Error if files are missing in a folder, or have another size */
function mustHold({ path }: NewFolder, files: number, bytes: number): void {
  const names = readdirSync(path)
  const whole = names.filter((name) => statSync(join(path, name)).size === bytes)
  if (whole.length !== files) throw new Error(`Of ${files} files, ${whole.length} arrived.`)
}
