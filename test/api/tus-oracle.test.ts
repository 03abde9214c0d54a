/**
 * A generated conversation is sent to filemgr and to `@tus/server` with `@tus/file-store`. Statuses and headers are equal,
 * except for the differences in the table, each of which occurs and has its reason.
 */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { API } from '#wire/api/routes.ts'
import { startTusLibrary, type TusLibrary } from '../support/clients/tus-library.ts'
import { openTestApp, type TestApp } from '../support/server/test-app.ts'

let app: TestApp
let library: TusLibrary
beforeAll(async () => {
  ;[app, library] = await Promise.all([openTestApp(), startTusLibrary()])
})
afterAll(async () => {
  await Promise.all([app.stop(), library.stop()])
})

/** The headers of tus 1.0. Those that the library sends are compared. */
const HEADERS = [
  'tus-resumable',
  'upload-offset',
  'upload-length',
  'upload-defer-length',
  'upload-metadata',
  'cache-control',
] as const

/** The request → the response of the library, ours, and the reason. */
const DIFFERENCES: Record<string, [theirs: number, ours: number, why: string]> = {
  'send without an offset': [403, 400, 'a header is missing, and nothing is forbidden'],
  'send without a type': [403, 415, 'tus 1.0 asks for 415 if the type is another one'],
  'send with another type': [400, 415, 'tus 1.0 asks for 415'],
  'ask with another version': [400, 412, 'tus 1.0 demands 412'],
  'create with a deferred length': [201, 400, 'this extension is not offered (docs/api.md 1.17)'],
}

interface Step {
  /** What the request is, without its random parts; differences are listed by it. */
  what: string
  method: string
  /** The number of the upload. */
  upload: number
  headers: Record<string, string>
  body?: string
}

/** A server under test. */
interface Side {
  /** Where the upload with this number is created. */
  creation(upload: number): string
  headers: Record<string, string>
  /** Upload number → its address, from the response to the creation. */
  locations: Map<number, string>
}

/** A generator of numbers from 0 to 1 that is the same at each run (a linear congruential one). */
function randomFrom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31
    return state / 2 ** 31
  }
}

const BYTES = { 'Content-Type': 'application/offset+octet-stream' }

/** Uploads of a few bytes with correct and incorrect requests in between, as a client with mistakes would send them. */
function conversation(seed: number, length: number): Step[] {
  const random = randomFrom(seed)
  const pick = <T>(all: readonly T[]): T => all[Math.floor(random() * all.length)] as T
  const steps: Step[] = []
  /** Upload → what a client knows of it. */
  const uploads = new Map<number, { length: number; offset: number }>()
  let next = 0

  const create = () => {
    const upload = next
    next += 1
    const size = Math.floor(random() * 20)
    const [what, headers, isGood] = pick<[string, Record<string, string>, boolean]>([
      ['create', { 'Upload-Length': `${size}` }, true],
      ['create', { 'Upload-Length': `${size}` }, true],
      ['create', { 'Upload-Length': `${size}` }, true],
      ['create with metadata', { 'Upload-Length': `${size}`, 'Upload-Metadata': 'a YQ==,b' }, true],
      ['create without a length', {}, false],
      ['create with a length of -1', { 'Upload-Length': '-1' }, false],
      ['create with a length that is no number', { 'Upload-Length': 'ten' }, false],
      ['create with a length with a fraction', { 'Upload-Length': '1.5' }, false],
      ['create with a deferred length', { 'Upload-Defer-Length': '1' }, false],
      ['create with both lengths', { 'Upload-Length': '5', 'Upload-Defer-Length': '1' }, false],
      ['create with bad metadata', { 'Upload-Length': '5', 'Upload-Metadata': 'a b c' }, false],
    ])
    steps.push({ what, method: 'POST', upload, headers })
    if (isGood) uploads.set(upload, { length: size, offset: 0 })
  }
  const onUpload = () => {
    const [upload, known] = pick([...uploads])
    const left = known.length - known.offset
    const patch = (what: string, headers: Record<string, string>, body: string) =>
      steps.push({ what, method: 'PATCH', upload, headers, body })
    const at = { 'Upload-Offset': `${known.offset}` }
    const kind = pick([
      'send',
      'send',
      'send as POST',
      'ask',
      'ask',
      'mistake',
      'mistake',
      'delete',
    ])
    if (kind === 'send') {
      const count = Math.min(left, 1 + Math.floor(random() * 8))
      patch(left === 0 ? 'send nothing' : 'send', { ...BYTES, ...at }, 'x'.repeat(count))
      known.offset += count
    } else if (kind === 'ask') {
      steps.push({ what: 'ask', method: 'HEAD', upload, headers: {} })
    } else if (kind === 'mistake') {
      pick([
        () => patch('send without an offset', BYTES, 'x'),
        () => patch('send at another offset', { ...BYTES, 'Upload-Offset': '99' }, 'x'),
        () => patch('send at -1', { ...BYTES, 'Upload-Offset': '-1' }, 'x'),
        () => patch('send at no number', { ...BYTES, 'Upload-Offset': 'x' }, 'x'),
        () => patch('send without a type', at, 'x'),
        () => patch('send with another type', { ...at, 'Content-Type': 'text/plain' }, 'x'),
        () => patch('send too much', { ...BYTES, ...at }, 'x'.repeat(left + 1)),
        () =>
          steps.push({
            what: 'ask with another version',
            method: 'HEAD',
            upload,
            headers: { 'Tus-Resumable': '0.2.2' },
          }),
      ])()
    } else {
      steps.push({ what: 'delete', method: 'DELETE', upload, headers: {} })
      uploads.delete(upload)
      steps.push({ what: 'ask after the deletion', method: 'HEAD', upload, headers: {} })
      steps.push({ what: 'delete again', method: 'DELETE', upload, headers: {} })
    }
  }

  while (steps.length < length) {
    if (uploads.size === 0 || random() < 0.3) create()
    else onUpload()
  }
  return steps
}

/** The status and the headers of the response to a step; undefined if the upload was not created. */
async function answerOf(
  side: Side,
  step: Step,
): Promise<{ status: number; headers: Record<string, string> } | undefined> {
  const isCreation = step.what.startsWith('create')
  const address = isCreation ? side.creation(step.upload) : side.locations.get(step.upload)
  if (address === undefined) return undefined
  const response = await fetch(address, {
    method: step.method,
    headers: { 'Tus-Resumable': '1.0.0', ...side.headers, ...step.headers },
    body: step.body ?? null,
  })
  await response.arrayBuffer()
  const location = response.headers.get('location')
  if (location !== null) side.locations.set(step.upload, new URL(location, address).href)
  const sent = HEADERS.map((name) => [name, response.headers.get(name)] as const)
  const headers = Object.fromEntries(sent.filter(([, value]) => value !== null))
  return { status: response.status, headers: headers as Record<string, string> }
}

test.each([7, 8, 9])(
  'a conversation with mistakes is answered as by the library (seed %d)',
  async (seed) => {
    const ours: Side = {
      creation: (upload) => `${app.url}${API.tus}/${seed}-${upload}`,
      headers: { 'X-Auth': app.anna.token },
      locations: new Map(),
    }
    const theirs: Side = { creation: () => library.url, headers: {}, locations: new Map() }
    const seen = new Set<string>()
    for (const [at, step] of conversation(seed, 300).entries()) {
      const [our, their] = [await answerOf(ours, step), await answerOf(theirs, step)]
      const known = DIFFERENCES[step.what]
      if (known) {
        expect([at, step.what, their?.status, our?.status]).toEqual([
          at,
          step.what,
          known[0],
          known[1],
        ])
        seen.add(step.what)
        continue
      }
      const headers = Object.keys(their?.headers ?? {}).map((name) => [name, our?.headers[name]])
      const shown = our && { status: our.status, headers: Object.fromEntries(headers) }
      expect([at, step, shown]).toEqual([at, step, their])
    }
    expect([...seen].toSorted()).toEqual(Object.keys(DIFFERENCES).toSorted())
  },
)
