/** A client with little work: requests are created before they are sent, connections stay open, responses are only counted. */

const HEAD_END = Buffer.from('\r\n\r\n')
/** A response without a body and without its length (RFC 9110 section 15.3.5). */
const NO_CONTENT = 204
/** The end of a chunked response (RFC 9112 section 7.1). */
const LAST_CHUNK = Buffer.from('0\r\n\r\n')

export interface Answer {
  status: number
  /** Of the body, as it was sent. */
  bytes: number
}

/** A connection that sends one request at a time. */
export class Connection {
  readonly #socket: Bun.Socket<undefined>
  #reading: Reading | undefined
  /** Parts of the request that the socket has not accepted yet. */
  #unsent: Uint8Array[] = []
  #closedBy: Error | undefined

  private constructor(socket: Bun.Socket<undefined>) {
    this.#socket = socket
  }

  /** @throws Error if no server listens */
  static async open(url: string): Promise<Connection> {
    const { hostname, port } = new URL(url)
    let connection: Connection | undefined
    const socket = await Bun.connect({
      hostname,
      port: Number(port),
      socket: {
        data: (_, part) => connection?.take(part),
        drain: () => connection?.sendRest(),
        close: (_, error) => connection?.ended(error),
        error: (_, error) => connection?.ended(error),
      },
    })
    connection = new Connection(socket)
    return connection
  }

  /** @param parts the head of a request as `requestOf` creates it, and its body */
  send(...parts: Uint8Array[]): Promise<Answer> {
    if (this.#closedBy) return Promise.reject(this.#closedBy)
    const answer = Promise.withResolvers<Answer>()
    this.#reading = new Reading(answer)
    this.#unsent = parts
    this.sendRest()
    return answer.promise
  }

  /** Sends as much as the socket accepts. */
  sendRest(): void {
    for (let part = this.#unsent[0]; part; part = this.#unsent[0]) {
      const sent = this.#socket.write(part)
      if (sent < part.length) {
        this.#unsent[0] = part.subarray(Math.max(0, sent))
        return
      }
      this.#unsent.shift()
    }
  }

  take(part: Buffer): void {
    if (this.#reading?.take(part)) this.#reading = undefined
  }

  ended(error?: Error): void {
    this.#closedBy ??= error ?? new Error('The connection was closed.')
    this.#reading?.ended(this.#closedBy, error === undefined)
    this.#reading = undefined
  }

  close(): void {
    this.#socket.end()
  }
}

/** A response: its head is read, the bytes of its body are counted. */
class Reading {
  readonly #answer: PromiseWithResolvers<Answer>
  #head: Buffer = Buffer.alloc(0)
  #status = 0
  #bytes = 0
  /** Undefined until the head is complete. */
  #length: number | 'in chunks' | 'to the end' | undefined
  #tail: Buffer = Buffer.alloc(0)

  constructor(answer: PromiseWithResolvers<Answer>) {
    this.#answer = answer
  }

  /** @returns whether the response is complete */
  take(part: Buffer): boolean {
    const body = this.#length === undefined ? this.#takeHead(part) : part
    if (!body) return false
    this.#bytes += body.length
    if (!this.#isWhole(body)) return false
    this.#done()
    return true
  }

  /** The connection has ended. `isClosed`: by the server, without an error. */
  ended(error: Error, isClosed: boolean): void {
    if (isClosed && this.#length === 'to the end') this.#done()
    else this.#answer.reject(error)
  }

  #done(): void {
    this.#answer.resolve({ status: this.#status, bytes: this.#bytes })
  }

  #takeHead(part: Buffer): Buffer | undefined {
    const all = this.#head.length > 0 ? Buffer.concat([this.#head, part]) : part
    const end = all.indexOf(HEAD_END)
    if (end < 0) {
      // The runtime uses the memory of the part again.
      this.#head = Buffer.from(all)
      return undefined
    }
    const head = all.toString('latin1', 0, end)
    this.#status = Number(head.slice(9, 12))
    const length = /\r\ncontent-length: *(\d+)/i.exec(head)?.[1]
    const isChunked = /\r\ntransfer-encoding: *chunked/i.test(head)
    if (this.#status === NO_CONTENT) this.#length = 0
    else if (isChunked) this.#length = 'in chunks'
    else this.#length = length === undefined ? 'to the end' : Number(length)
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

/** The head of a request, as it is sent. */
export function requestOf(
  url: string,
  headers: Record<string, string>,
  method = 'GET',
): Uint8Array {
  const { host, pathname, search } = new URL(url)
  const lines = Object.entries({ Host: host, Accept: '*/*', ...headers })
  const fields = lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')
  return Buffer.from(`${method} ${pathname}${search} HTTP/1.1\r\n${fields}\r\n`)
}
