/** Simulated users who change files all the time, each in their own folder. */
import { randomBytes } from 'node:crypto'
import { API } from '#wire/api/routes.ts'
import type { Client } from '../support/server/client.ts'
import { digest, type ExpectedState } from './expected-state.ts'

/** Returns a random integer from 0 to below the limit. The same seed gives the same numbers. */
export type Draw = (below: number) => number

export function drawFrom(seed: number): Draw {
  let state = seed
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

const TUS = { 'Tus-Resumable': '1.0.0' }
const BYTES = { ...TUS, 'Content-Type': 'application/offset+octet-stream' }

/** A resumable upload that a kill has interrupted. */
export interface Unfinished {
  path: string
  /** The URL of the upload. */
  address: string
  bytes: Buffer
  /** The number of bytes whose request was answered with success. */
  confirmedBytes: number
}

export class SimulatedUser {
  readonly #client: Client
  readonly #expected: ExpectedState
  readonly #folder: string
  readonly #draw: Draw
  readonly #undecided: readonly number[]
  unfinished: Unfinished | undefined
  /** The number of successful changes. */
  done = 0

  /** @param undecided statuses after which a change was made or not, as without a response */
  constructor(
    client: Client,
    expected: ExpectedState,
    folder: string,
    draw: Draw,
    undecided: readonly number[] = [],
  ) {
    this.#client = client
    this.#expected = expected
    this.#folder = folder
    this.#draw = draw
    this.#undecided = undecided
  }

  /**
   * Makes one random change after the other, until one is undecided or there are enough.
   *
   * @param mayGoOn is asked before each
   * @throws Error if the server refuses one
   */
  async work(mayGoOn: () => boolean = () => true): Promise<void> {
    const changes = [this.#write, this.#save, this.#move, this.#copy, this.#remove, this.#upload]
    while (mayGoOn()) {
      const change = changes[this.#draw(changes.length)] ?? this.#write
      try {
        await change.call(this)
        this.done += 1
      } catch (error) {
        if (error instanceof Refused && !this.#undecided.includes(error.status)) throw error
        return
      }
    }
  }

  /**
   * Continues the upload that the kill interrupted, if there is one.
   *
   * @returns whether bytes were sent
   * @throws Error if the server refuses it, or has lost confirmed bytes
   */
  async resume(client: Client): Promise<boolean> {
    const upload = this.unfinished
    this.unfinished = undefined
    if (!upload) return false
    const { address, confirmedBytes } = upload
    const head = await client.call('HEAD', address, undefined, TUS)
    // A killed server forgets a small upload of which no bytes are confirmed.
    if (head.status === 404 && confirmedBytes === 0) return false
    const offset = Number(head.headers.get('upload-offset'))
    if (!head.ok || offset < confirmedBytes) {
      const asked = `asking for ${upload.path}: ${head.status}, ${offset}/${confirmedBytes}`
      throw new Refused(asked, head.status)
    }
    const finish = this.#expected.begin({ [upload.path]: digest(upload.bytes) })
    if (offset === upload.bytes.length) {
      finish()
      return false
    }
    const rest = upload.bytes.subarray(offset)
    const answer = await client.call('PATCH', address, Uint8Array.from(rest), {
      ...BYTES,
      'Upload-Offset': String(offset),
    })
    if (answer.status !== 204)
      throw new Refused(`resuming ${upload.path}: ${answer.status}`, answer.status)
    finish()
    return true
  }

  async #write(): Promise<void> {
    const [path, bytes] = [this.#anyName(), this.#content()]
    const finish = this.#expected.begin({ [path]: digest(bytes) })
    await this.#ask('POST', `${API.resources}/${path}?override=true`, Uint8Array.from(bytes))
    finish()
  }

  async #save(): Promise<void> {
    const path = this.#anyFile()
    if (!path) return this.#write()
    const bytes = this.#content()
    const finish = this.#expected.begin({ [path]: digest(bytes) })
    await this.#ask('PUT', `${API.resources}/${path}`, Uint8Array.from(bytes))
    finish()
  }

  async #move(): Promise<void> {
    const [from, to] = [this.#anyFile(), this.#anyName()]
    if (!from || from === to) return this.#write()
    const finish = this.#expected.begin({ [to]: this.#expected.content(from), [from]: undefined })
    await this.#ask('PATCH', this.#transfer('rename', from, to))
    finish()
  }

  async #copy(): Promise<void> {
    const [from, to] = [this.#anyFile(), this.#anyName()]
    if (!from || from === to) return this.#write()
    const finish = this.#expected.begin({ [to]: this.#expected.content(from) })
    await this.#ask('PATCH', this.#transfer('copy', from, to))
    finish()
  }

  async #remove(): Promise<void> {
    const path = this.#anyFile()
    if (!path) return this.#write()
    const finish = this.#expected.begin({ [path]: undefined })
    await this.#ask('DELETE', `${API.resources}/${path}`)
    finish()
  }

  async #upload(): Promise<void> {
    const [path, bytes] = [this.#anyName(), this.#content()]
    const made = await this.#ask('POST', `${API.tus}/${path}?override=true`, undefined, {
      ...TUS,
      'Upload-Length': String(bytes.length),
    })
    const address = made.get('location') ?? ''
    const unfinished = { path, address, bytes, confirmedBytes: 0 }
    this.unfinished = unfinished
    const finish = this.#expected.begin({ [path]: digest(bytes) })
    const middle = this.#draw(bytes.length)
    for (const [offset, end] of [
      [0, middle],
      [middle, bytes.length],
    ] as const) {
      if (offset === end) continue
      const part = Uint8Array.from(bytes.subarray(offset, end))
      await this.#ask('PATCH', address, part, { ...BYTES, 'Upload-Offset': String(offset) })
      unfinished.confirmedBytes = end
    }
    finish()
    this.unfinished = undefined
  }

  async #ask(
    method: string,
    address: string,
    body?: BodyInit,
    headers: Record<string, string> = {},
  ): Promise<Headers> {
    const answer = await this.#client.call(method, address, body, headers)
    await answer.body?.cancel()
    if (!answer.ok) throw new Refused(`${method} ${address}: ${answer.status}`, answer.status)
    return answer.headers
  }

  #transfer(action: string, from: string, to: string): string {
    const query = `action=${action}&override=true&destination=${encodeURIComponent(`/${to}`)}`
    return `${API.resources}/${from}?${query}`
  }

  #anyName(): string {
    return `${this.#folder}/${'abcdefgh'[this.#draw(8)]}.bin`
  }

  #anyFile(): string | undefined {
    const files = this.#expected.files(this.#folder)
    return files[this.#draw(files.length)]
  }

  /** Up to 300 KiB of random bytes. */
  #content(): Buffer {
    return randomBytes(1 + this.#draw(300 * 1024))
  }
}

/** The server responded with an unexpected status. */
class Refused extends Error {
  readonly status: number

  constructor(message: string, status: number) {
    super(message)
    this.status = status
  }
}
