/** A client that costs little: requests that are made once, over connections that stay open, answers counted and dropped. */

const HEAD_END = Buffer.from('\r\n\r\n')
/** What ends an answer in chunks (RFC 9112 section 7.1). */
const LAST_CHUNK = Buffer.from('0\r\n\r\n')

export interface Answer {
  status: number
  /** Of the body, as it travelled. */
  bytes: number
}

/** One connection, which does one request at a time. */
export class Connection {
  readonly #socket: Bun.Socket<undefined>
  #reading: Reading | undefined

  private constructor(socket: Bun.Socket<undefined>) {
    this.#socket = socket
  }

  /** @throws Error when nobody listens */
  static async open(url: string): Promise<Connection> {
    const { hostname, port } = new URL(url)
    let connection: Connection | undefined
    const socket = await Bun.connect({
      hostname,
      port: Number(port),
      socket: {
        data: (_, part) => connection?.take(part),
        close: () => connection?.ended(),
        error: (_, error) => connection?.ended(error),
      },
    })
    connection = new Connection(socket)
    return connection
  }

  /** @param request as `requestOf` makes it */
  send(request: Uint8Array): Promise<Answer> {
    const answer = Promise.withResolvers<Answer>()
    this.#reading = new Reading(answer)
    this.#socket.write(request)
    return answer.promise
  }

  take(part: Buffer): void {
    if (this.#reading?.take(part)) this.#reading = undefined
  }

  ended(error?: Error): void {
    this.#reading?.ended(error)
    this.#reading = undefined
  }

  close(): void {
    this.#socket.end()
  }
}

/** One answer, of which the head is read and the rest is counted. */
class Reading {
  readonly #answer: PromiseWithResolvers<Answer>
  #head: Buffer = Buffer.alloc(0)
  #status = 0
  #bytes = 0
  /** Undefined until the head has come. */
  #length: number | 'in chunks' | 'to the end' | undefined
  #tail: Buffer = Buffer.alloc(0)

  constructor(answer: PromiseWithResolvers<Answer>) {
    this.#answer = answer
  }

  /** @returns whether that was all */
  take(part: Buffer): boolean {
    const body = this.#length === undefined ? this.#takeHead(part) : part
    if (!body) return false
    this.#bytes += body.length
    if (!this.#isWhole(body)) return false
    this.#done()
    return true
  }

  /** The connection is over. */
  ended(error = new Error('The connection was closed.')): void {
    if (this.#length === 'to the end') this.#done()
    else this.#answer.reject(error)
  }

  #done(): void {
    this.#answer.resolve({ status: this.#status, bytes: this.#bytes })
  }

  #takeHead(part: Buffer): Buffer | undefined {
    const all = this.#head.length > 0 ? Buffer.concat([this.#head, part]) : part
    const end = all.indexOf(HEAD_END)
    if (end < 0) {
      // The part is the runtime's, and used again.
      this.#head = Buffer.from(all)
      return undefined
    }
    const head = all.toString('latin1', 0, end)
    this.#status = Number(head.slice(9, 12))
    const length = /\r\ncontent-length: *(\d+)/i.exec(head)?.[1]
    const isChunked = /\r\ntransfer-encoding: *chunked/i.test(head)
    this.#length = isChunked ? 'in chunks' : length === undefined ? 'to the end' : Number(length)
    return all.subarray(end + HEAD_END.length)
  }

  #isWhole(part: Buffer): boolean {
    if (this.#length === 'to the end') return false
    if (typeof this.#length === 'number') return this.#bytes >= this.#length
    const { length } = LAST_CHUNK
    this.#tail = Buffer.concat([this.#tail, part.subarray(-length)]).subarray(-length)
    return this.#tail.equals(LAST_CHUNK)
  }
}

/** A GET, as it is sent. */
export function requestOf(url: string, headers: Record<string, string>): Uint8Array {
  const { host, pathname, search } = new URL(url)
  const lines = Object.entries({ Host: host, Accept: '*/*', ...headers })
  const fields = lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')
  return Buffer.from(`GET ${pathname}${search} HTTP/1.1\r\n${fields}\r\n`)
}
