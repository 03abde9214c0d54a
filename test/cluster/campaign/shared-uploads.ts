/** Two clients send the bytes of one upload at different servers. What is acknowledged is never written again. */
import { existsSync, readFileSync } from 'node:fs'
import { API } from '#wire/api/routes.ts'
import { digest, type ExpectedState } from '../../faults/expected-state.ts'
import type { Draw } from '../../faults/load.ts'
import type { Client } from '../../support/server/client.ts'
import { type Actor, decided, Unexplained } from './actor.ts'
import type { SharedServers } from './servers.ts'

const TUS = { 'Tus-Resumable': '1.0.0' }
const PART = 16 * 1024
const BYTES = 24 * PART
const UPLOADS_MAX = 5
const LETTERS = ['a', 'b']
/** A part is sent in pieces, so that a fault is often in the middle of one. */
const PIECES = 4
const PAUSE_MAX_MS = 30

interface Acknowledged {
  from: number
  to: number
  letter: string
}

interface SharedUpload {
  path: string
  address: string
  acknowledged: Acknowledged[]
  /** Up to here, bytes were acknowledged. */
  offset: number
  isComplete: boolean
}

export class SharedUploads implements Actor {
  readonly #servers: SharedServers
  readonly #expected: ExpectedState
  readonly #draw: Draw
  readonly #uploads: SharedUpload[] = []
  /** What was lost while the uploads ran. */
  readonly #lost: string[] = []

  constructor(servers: SharedServers, expected: ExpectedState, draw: Draw) {
    this.#servers = servers
    this.#expected = expected
    this.#draw = draw
  }

  async work(mayGoOn: () => boolean): Promise<void> {
    while (mayGoOn() && this.#uploads.length < UPLOADS_MAX) {
      const upload = await this.#create()
      if (!upload) continue
      await Promise.all(LETTERS.map((letter) => this.#send(upload, letter, mayGoOn)))
    }
  }

  /** @returns undefined if it is not known whether there is an upload */
  async #create(): Promise<SharedUpload | undefined> {
    const path = `shared-${this.#uploads.length}-${this.#draw(1_000_000)}`
    const headers = { ...TUS, 'Upload-Length': String(BYTES) }
    const client = this.#servers.anyClient(this.#draw)
    const made = await decided(client.call('POST', `${API.tus}/${path}`, undefined, headers))
    if (!made) return undefined
    if (made.status !== 201) throw new Unexplained(`creating ${path}: ${made.status}`)
    const address = made.headers.get('location') ?? ''
    const upload = { path, address, acknowledged: [], offset: 0, isComplete: false }
    this.#uploads.push(upload)
    return upload
  }

  async #send(upload: SharedUpload, letter: string, mayGoOn: () => boolean): Promise<void> {
    while (mayGoOn() && !upload.isComplete) {
      const client = this.#servers.clientAt(this.#draw(this.#servers.count))
      const offset = await this.#ask(upload, client)
      if (offset === undefined || offset >= BYTES) continue
      const to = Math.min(BYTES, offset + PART * (1 + this.#draw(3)))
      await this.#sendPart(upload, client, { from: offset, to, letter })
    }
  }

  /** @returns the offset; undefined if the server does not tell it now */
  async #ask(upload: SharedUpload, client: Client): Promise<number | undefined> {
    const known = upload.offset
    const head = await decided(client.call('HEAD', upload.address, undefined, TUS))
    if (!head || head.status === 423) return undefined
    if (!head.ok) {
      this.#lost.push(`${upload.path}: ${head.status} for its state`)
      upload.isComplete = true
      return undefined
    }
    const offset = Number(head.headers.get('upload-offset'))
    if (offset < known) this.#lost.push(`${upload.path}: ${offset} of ${known} bytes`)
    this.#reached(upload, offset)
    return offset
  }

  async #sendPart(upload: SharedUpload, client: Client, part: Acknowledged): Promise<void> {
    const { from, to, letter } = part
    const headers = {
      ...TUS,
      'Upload-Offset': String(from),
      'Content-Type': 'application/offset+octet-stream',
    }
    const body = this.#slowly(letter, to - from)
    const answer = await decided(client.call('PATCH', upload.address, body, headers))
    await answer?.body?.cancel()
    if (!answer || [408, 409, 423].includes(answer.status)) return
    // The other client has completed it.
    if (answer.status === 404 && upload.isComplete) return
    if (answer.status !== 204) {
      throw new Unexplained(`${upload.path} at ${from}: ${answer.status}`)
    }
    upload.acknowledged.push(part)
    this.#reached(upload, to)
  }

  #reached(upload: SharedUpload, offset: number): void {
    upload.offset = Math.max(upload.offset, offset)
    upload.isComplete ||= offset === BYTES
  }

  #slowly(letter: string, bytes: number): ReadableStream<Uint8Array<ArrayBuffer>> {
    const [size, draw] = [bytes / PIECES, this.#draw]
    let left = bytes
    return new ReadableStream({
      async pull(controller) {
        await Bun.sleep(draw(PAUSE_MAX_MS))
        controller.enqueue(new TextEncoder().encode(letter.repeat(size)))
        left -= size
        if (left === 0) controller.close()
      },
    })
  }

  async settle(): Promise<string[]> {
    for (const upload of this.#uploads) {
      const [letter = ''] = LETTERS
      while (!upload.isComplete) await this.#send(upload, letter, () => true)
    }
    return [...this.#lost, ...this.#uploads.flatMap((upload) => this.#wrongIn(upload))]
  }

  #wrongIn({ path, acknowledged }: SharedUpload): string[] {
    const file = this.#servers.at(path)
    if (!existsSync(file)) return [`${path} is complete, and there is no file`]
    const content = readFileSync(file, 'utf8')
    this.#expected.begin({ [path]: digest(content) })()
    const wrong =
      /^[ab]*$/.test(content) && content.length === BYTES ? [] : [`${path} is not whole`]
    let end = 0
    for (const { from, to, letter } of acknowledged.toSorted((one, two) => one.from - two.from)) {
      if (from < end) wrong.push(`${path}: ${from} was acknowledged twice`)
      if (content.slice(from, to) !== letter.repeat(to - from)) {
        wrong.push(`${path}: from ${from} to ${to} it has not what was acknowledged`)
      }
      end = to
    }
    return wrong
  }
}
