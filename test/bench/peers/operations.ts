/** The operations in which servers are compared: the requests of one round, and what their responses must be. */
import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { Connection, type Reply, requestOf } from './connection.ts'
import { type Peer, type Target, urlPath } from './peer.ts'

export interface Operation {
  /** In the table. */
  name: string
  /** In budgets and in `FILEMGR_BENCH_OPERATIONS`. */
  key: string
  target: Target
  /** Requests or files of one round. */
  units: number
  rounds: number
  /** Whether it writes into a new folder, which `prepare` receives. */
  writes?: boolean
  /** Creates the requests of one round, which is not measured. */
  prepare(peer: Peer, address: string, folder: NewFolder): Round
}

/** The work that is measured: requests, and what their responses must be. */
export interface Round {
  sequences: readonly Sequence[]
  connections: number
  /** @throws Error for a response that is wrong */
  check(reply: Reply): void
  /** Not measured. @throws Error if files are missing after an upload */
  verify?(): void
}

/** An empty folder for uploads. */
export interface NewFolder {
  name: string
  /** The path on the disk. */
  path: string
}

// The served folder: FILES files of FILE_BYTES, MANY empty files, one large file, and photos.
export const FILES = 10_000
export const FILE_BYTES = 10 * 1024
export const MANY = 100_000
export const LARGE_BYTES = 2 ** 30
export const PHOTOS = 40
const RANGE_BYTES = 64 * 1024

/** Measured rounds; one before them is not counted. */
const ROUNDS = 7
/** A round of uploads takes seconds. */
const UPLOAD_ROUNDS = 3
const CONNECTIONS = 16
const UPLOAD_CONNECTIONS = 5
const SMALL_REQUESTS = 4000
const RANGE_REQUESTS = 2000
const THUMBNAIL_REQUESTS = 4000
const UPLOADS = 2000
/** Any listing contains at least the name of each file. */
const NAME_BYTES_MIN = 'file 0.bin'.length
const THUMBNAIL_BYTES_MIN = 1000

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
    prepare(peer, address) {
      const sequences = Array.from({ length: SMALL_REQUESTS }, (_, index) => {
        return get(peer, urlPath(address, nameOfFile((index * 7) % FILES)))
      })
      return { sequences, connections: CONNECTIONS, check: mustBe(200, FILE_BYTES) }
    },
  },
  {
    name: '64 KiB range of a large file, one connection',
    key: 'range',
    target: 'large',
    units: RANGE_REQUESTS,
    rounds: ROUNDS,
    prepare(peer, address) {
      const sequences = Array.from({ length: RANGE_REQUESTS }, (_, index) => {
        const first = ((index * 7919) % (LARGE_BYTES / RANGE_BYTES)) * RANGE_BYTES
        return get(peer, address, { Range: `bytes=${first}-${first + RANGE_BYTES - 1}` })
      })
      return { sequences, connections: 1, check: mustBe(206, RANGE_BYTES) }
    },
  },
  download('list 10 000 files', 'list', FILES * NAME_BYTES_MIN),
  download('list 100 000 files', 'listLarge', MANY * NAME_BYTES_MIN),
  download('download of 1 GiB', 'large', LARGE_BYTES),
  download('zip of 10 000 files, 100 MiB', 'zip', FILES * FILE_BYTES),
  download('tar of the same', 'tar', FILES * FILE_BYTES),
  // The files compress to a part of their size that depends on the server.
  download('tar.gz of the same', 'targz', FILE_BYTES),
  {
    name: 'stored thumbnails of 12 megapixels, 16 connections',
    key: 'thumbnails',
    target: 'thumbnails',
    units: THUMBNAIL_REQUESTS,
    rounds: ROUNDS,
    prepare(peer, address) {
      const sequences = Array.from({ length: THUMBNAIL_REQUESTS }, (_, index) => {
        return get(peer, urlPath(address, nameOfPhoto(index % PHOTOS)))
      })
      return { sequences, connections: CONNECTIONS, check: mustBe(200, THUMBNAIL_BYTES_MIN) }
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
    prepare(peer, address, folder) {
      const length = { 'Content-Length': String(LARGE_BYTES) }
      const url = `${peer.url}${urlPath(address, folder.name, 'large.bin')}`
      const head = requestOf(url, { ...peer.headers, ...length }, peer.uploadMethod)
      const blocks = Array.from({ length: LARGE_BYTES / block.length }, () => block)
      return {
        sequences: [[[head, ...blocks]]],
        connections: 1,
        check: mustBeStored,
        verify: () => mustHold(folder, 1, LARGE_BYTES),
      }
    },
  },
]

/** One response, read to its end, with at least `bytesMin` bytes. */
function download(name: string, target: Target, bytesMin: number): Operation {
  return {
    name,
    key: target,
    target,
    units: 1,
    rounds: ROUNDS,
    prepare(peer, address) {
      return { sequences: [get(peer, address)], connections: 1, check: mustBe(200, bytesMin) }
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
    prepare(peer, address, folder) {
      const sequences = Array.from({ length: UPLOADS }, (_, index) => {
        return sequenceOf(peer, urlPath(address, folder.name, nameOfFile(index)))
      })
      return {
        sequences,
        connections: UPLOAD_CONNECTIONS,
        check: mustBeStored,
        verify: () => mustHold(folder, UPLOADS, FILE_BYTES),
      }
    },
  }
}

/** The parts of a request: its head and its body. */
type Request = Uint8Array[]

/** Requests that are sent one after the other. */
export type Sequence = readonly Request[]

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

/**
 * Sends the requests of a round: each connection takes the next sequence when it has completed one.
 *
 * @throws Error for a response that is wrong, or a connection that is closed
 */
export async function sendAll(
  url: string,
  { sequences, connections, check }: Round,
): Promise<void> {
  let next = 0
  const work = async () => {
    const connection = await Connection.open(url)
    try {
      for (let sequence = sequences[next++]; sequence; sequence = sequences[next++]) {
        for (const request of sequence) check(await connection.send(...request))
      }
    } finally {
      connection.close()
    }
  }
  await Promise.all(Array.from({ length: connections }, work))
}

function mustBe(expected: number, bytesMin: number): (reply: Reply) => void {
  return ({ status, bytes }) => {
    if (status === expected && bytes >= bytesMin) return
    throw new Error(`A response was ${status} with ${bytes} bytes.`)
  }
}

function mustBeStored({ status }: Reply): void {
  if (status < 200 || status > 204) throw new Error(`An upload responded with ${status}.`)
}

/** @throws Error if files are missing in a folder, or have another size */
function mustHold({ path }: NewFolder, files: number, bytes: number): void {
  const names = readdirSync(path)
  const complete = names.filter((name) => statSync(join(path, name)).size === bytes)
  if (complete.length !== files) {
    throw new Error(`${complete.length} of ${files} files arrived.`)
  }
}
