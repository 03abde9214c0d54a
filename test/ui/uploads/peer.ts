/** A server for tests of uploads, which stores files in memory. A test can replace its responses, and stop it. */

import { crc32 } from 'node:zlib'
import { API } from '#wire/api/routes.ts'
import { JOURNAL_HEADER } from '#wire/api/session.ts'
import type { BatchInfo, BatchResult } from '#wire/shapes/batch.ts'

/** A file on the server. */
export interface Stored {
  bytes: Uint8Array<ArrayBuffer>
  modifiedMs: number
}

interface UnfinishedUpload extends Stored {
  id: string
  length: number
  metadata: string
}

interface FinishedUpload extends UnfinishedUpload {
  /** The published file. */
  file: Stored
}

/** The version of each file that was stored. */
const versions = new WeakMap<Stored, string>()

export interface Peer {
  origin: string
  files: Map<string, Stored>
  folders: Set<string>
  /** Whether the listings say that the disk ignores case. */
  foldsCase: boolean
  /** The unfinished uploads of tus, by path. */
  begun: Map<string, UnfinishedUpload>
  /** The finished uploads of tus, by id. */
  finished: Map<string, FinishedUpload>
  /** Every request, as `POST /api/tus/a.bin`. */
  calls: string[]
  /** The highest number of requests that were running at a time. */
  busiest: number
  /** Responds in place of the server; undefined passes the request on to the server. */
  intercept: (
    request: Request,
    call: string,
  ) => Response | undefined | Promise<Response | undefined>
  /** The response of the server itself: a test calls it for a request whose response it loses. */
  answer(request: Request): Promise<Response>
  /** The only session token that is accepted. */
  token: string
  /** The numbers of the journal entries, one for each file, folder and batch. */
  entries: number[]
  stop(): Promise<void>
  /** Starts the server again after `stop`: at the same address, with the same files. */
  start(): void
}

export function startPeer(): Peer {
  let busy = 0
  const serve = (port: number) =>
    Bun.serve({
      port,
      hostname: '127.0.0.1',
      async fetch(request) {
        const { pathname } = new URL(request.url)
        const call = `${request.method} ${decodeURIComponent(pathname)}`
        peer.calls.push(call)
        busy += 1
        peer.busiest = Math.max(peer.busiest, busy)
        try {
          return (await peer.intercept(request, call)) ?? (await peer.answer(request))
        } finally {
          busy -= 1
        }
      },
    })
  let server = serve(0)
  const peer: Peer = {
    origin: server.url.origin,
    files: new Map(),
    folders: new Set(['/']),
    foldsCase: false,
    begun: new Map(),
    finished: new Map(),
    calls: [],
    busiest: 0,
    intercept: () => undefined,
    answer: (request) => answer(peer, request, new URL(request.url).pathname),
    token: 'token',
    entries: [],
    start() {
      server = serve(Number(new URL(peer.origin).port))
    },
    stop: () => server.stop(true),
  }
  return peer
}

export function refusal(status: number, fault?: string): Response {
  return new Response(`${status} refused\n`, { status, headers: fault ? { 'X-Fault': fault } : {} })
}

async function answer(peer: Peer, request: Request, pathname: string): Promise<Response> {
  if (pathname === '/health') return Response.json({ status: 'OK' })
  if (request.headers.get('X-Auth') !== peer.token) return refusal(401, 'unauthenticated')
  const [, , kind, ...segments] = pathname.split('/')
  const path = `/${segments.map(decodeURIComponent).join('/')}`
  if (kind === 'tus') return tus(peer, request, path)
  if (kind === 'batch') return batch(peer, request, path)
  if (pathname === API.favourites) return Response.json([])
  return request.method === 'POST' ? create(peer, request, path) : look(peer, request, path)
}

async function create(peer: Peer, request: Request, path: string): Promise<Response> {
  if (path.endsWith('/')) {
    makeFolder(peer, path)
    return new Response('200 OK\n', { headers: journalled(peer) })
  }
  if (isTaken(peer, request, path)) return refusal(409, 'conflict')
  const modifiedMs = Number(request.headers.get('X-Modified') ?? Date.now())
  peer.files.set(path, { bytes: await request.bytes(), modifiedMs })
  return new Response('200 OK\n', { headers: journalled(peer) })
}

/** Stores the files of a form, in which the fields `info` and `file` alternate. */
async function batch(peer: Peer, request: Request, folder: string): Promise<Response> {
  const fields: unknown[] = [...(await request.formData()).values()]
  const results: BatchResult[] = []
  let entry: number | undefined
  for (let at = 0; at < fields.length; at += 2) {
    const text = fields[at]
    const file = fields[at + 1] as Blob | undefined
    if (typeof text !== 'string' || !file) return refusal(400, 'badRequest')
    const info: BatchInfo = JSON.parse(text)
    const path = folder + info.path
    peer.calls.push(`BATCH ${path}`)
    const taken = peer.files.has(path) && !info.override
    if (taken) {
      results.push({ path, status: 409, code: 'conflict', message: 'taken', fault: 'conflict' })
    } else {
      peer.files.set(path, { bytes: await file.bytes(), modifiedMs: info.modified ?? 0 })
      entry ??= Number(journalled(peer)[JOURNAL_HEADER])
      results.push({ path, status: 200, entry })
    }
  }
  return Response.json({ results })
}

function look(peer: Peer, request: Request, path: string): Response {
  const file = peer.files.get(path)
  const isHashed = new URL(request.url).searchParams.get('checksum') === 'sha256'
  const checksums = file && {
    sha256: new Bun.CryptoHasher('sha256').update(file.bytes).digest('hex'),
  }
  const entry = file && { ...entryOf(path, file), ...(isHashed && { checksums }) }
  if (file) return Response.json(entry, { headers: tagOf(file) })
  const folder = path.replace(/\/$/, '')
  if (!peer.folders.has(folder || '/')) return refusal(404, 'notFound')
  const inside = (name: string) => name !== '/' && name.slice(0, name.lastIndexOf('/')) === folder
  const files = [...peer.files].filter(([name]) => inside(name)).map((row) => entryOf(...row))
  const folders = [...peer.folders].filter(inside).map((name) => entryOf(name))
  const sorting = { by: 'name', asc: true }
  return Response.json({
    ...entryOf(folder || '/'),
    items: [...folders, ...files],
    sorting,
    ...(peer.foldsCase && { foldsCase: true }),
  })
}

async function tus(peer: Peer, request: Request, path: string): Promise<Response> {
  const id = new URL(request.url).searchParams.get('upload')
  const found = peer.begun.get(path)
  const upload = id === null || found?.id === id ? found : undefined
  const finished = id === null ? undefined : peer.finished.get(id)
  if (request.method === 'POST') {
    if (isTaken(peer, request, path)) return refusal(409, 'conflict')
    const length = Number(request.headers.get('Upload-Length'))
    const metadata = request.headers.get('Upload-Metadata') ?? ''
    const bytes = new Uint8Array()
    const newId = Bun.randomUUIDv7('hex')
    peer.begun.set(path, { id: newId, bytes, length, metadata, modifiedMs: modifiedIn(metadata) })
    const file = publish(peer, path)
    const location = `${new URL(request.url).pathname}?upload=${newId}`
    const headers = { Location: location, ...(file && { ...journalled(peer), ...tagOf(file) }) }
    return new Response(null, { status: 201, headers })
  }
  if (finished && finished.file === peer.files.get(path) && request.method === 'HEAD')
    return new Response(null, { headers: { ...stateOf(finished), ...tagOf(finished.file) } })
  if (!upload) return refusal(404, 'notFound')
  if (request.method === 'DELETE') {
    peer.begun.delete(path)
    return new Response(null, { status: 204 })
  }
  let file: Stored | undefined
  if (request.method === 'PATCH') {
    if (Number(request.headers.get('Upload-Offset')) !== upload.bytes.length) {
      return refusal(409, 'conflict')
    }
    upload.bytes = new Uint8Array(Buffer.concat([upload.bytes, await request.bytes()]))
    file = publish(peer, path)
  }
  const headers = {
    ...stateOf(upload),
    ...(new URL(request.url).searchParams.has('checksum') && checksumOf(upload)),
    ...(file && { ...journalled(peer), ...tagOf(file) }),
  }
  return new Response(null, { status: request.method === 'PATCH' ? 204 : 200, headers })
}

/** Publishes an upload if all of its bytes have arrived. @returns the file if it was published */
function publish(peer: Peer, path: string): Stored | undefined {
  const upload = peer.begun.get(path)
  if (!upload || upload.bytes.length < upload.length) return undefined
  peer.begun.delete(path)
  const file = { bytes: upload.bytes, modifiedMs: upload.modifiedMs }
  peer.files.set(path, file)
  peer.finished.set(upload.id, { ...upload, file })
  return file
}

function stateOf({ bytes, length, metadata }: UnfinishedUpload): Record<string, string> {
  return {
    'Upload-Offset': String(bytes.length),
    'Upload-Length': String(length),
    'Upload-Metadata': metadata,
  }
}

function checksumOf({ bytes }: UnfinishedUpload): Record<string, string> {
  const sum = Buffer.alloc(4)
  sum.writeUInt32BE(crc32(bytes))
  return { 'Upload-Checksum': `crc32 ${sum.toString('base64')}` }
}

/** The ETag of a file: another one for each file that was stored. Nothing is cached. */
function tagOf(file: Stored): Record<string, string> {
  const version = versions.get(file) ?? Bun.randomUUIDv7('hex')
  versions.set(file, version)
  return { ETag: `"${version}"`, 'Cache-Control': 'no-store' }
}

function journalled(peer: Peer): Record<string, string> {
  peer.entries.push(peer.entries.length + 1)
  return { [JOURNAL_HEADER]: String(peer.entries.length) }
}

function isTaken(peer: Peer, request: Request, path: string): boolean {
  return peer.files.has(path) && new URL(request.url).searchParams.get('override') !== 'true'
}

function makeFolder(peer: Peer, path: string): void {
  const segments = path.split('/').filter((segment) => segment !== '')
  for (const depth of segments.keys())
    peer.folders.add(`/${segments.slice(0, depth + 1).join('/')}`)
}

function entryOf(path: string, file?: Stored): object {
  const name = path.slice(path.lastIndexOf('/') + 1)
  const modified = new Date(file?.modifiedMs ?? 0).toISOString()
  return { path, name, size: file?.bytes.length ?? 0, modified, isDir: !file, type: '' }
}

function modifiedIn(metadata: string): number {
  const [, encoded = ''] = /lastModified ([^,]*)/.exec(metadata) ?? []
  return Number(atob(encoded))
}
