/**
 * An HTTP client that needs little processor time, so that it does not slow down the server: requests are created before
 * they are sent, connections stay open, and the bytes of responses are only counted.
 */

const HEAD_END = Buffer.from('\r\n\r\n')
/** A response without a body and without its length (RFC 9110 section 15.3.5). */
const NO_CONTENT = 204
/** The end of a chunked response (RFC 9112 section 7.1). */
const LAST_CHUNK = Buffer.from('0\r\n\r\n')

/** The result of a request. */
export interface Reply {
  status: number
  /** Of the body as it was sent, with the framing of chunks. */
  bytes: number
}

/** A connection that sends one request at a time. */
export class Connection {
  readonly #socket: Bun.Socket<undefined>
  #reader: ReplyReader | undefined
  /** Parts of the request that the socket has not accepted yet. */
  #unsent: Uint8Array[] = []
  /** Why nothing can be sent any more; undefined while the connection is open. */
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
        data: (_, part) => connection?.receive(part),
        drain: () => connection?.sendRest(),
        close: (_, error) => connection?.ended(error),
        error: (_, error) => connection?.ended(error),
      },
    })
    connection = new Connection(socket)
    return connection
  }

  /**
   * Sends a request, and waits for its response.
   *
   * @param parts the head of a request as `requestOf` creates it, and its body
   * @throws Error if the connection is closed before the response is complete
   */
  send(...parts: Uint8Array[]): Promise<Reply> {
    if (this.#closedBy) return Promise.reject(this.#closedBy)
    const reply = Promise.withResolvers<Reply>()
    this.#reader = new ReplyReader(reply)
    this.#unsent = parts
    this.sendRest()
    return reply.promise
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

  receive(part: Buffer): void {
    if (this.#reader?.receive(part)) this.#reader = undefined
  }

  ended(error?: Error): void {
    this.#closedBy ??= error ?? new Error('The connection was closed.')
    this.#reader?.ended(this.#closedBy, error === undefined)
    this.#reader = undefined
  }

  close(): void {
    this.#socket.end()
  }
}

/** Reads the head of one response, and counts the bytes of its body. */
class ReplyReader {
  readonly #reply: PromiseWithResolvers<Reply>
  #head: Buffer = Buffer.alloc(0)
  #status = 0
  #bytes = 0
  /** Of the body: its bytes, or how its end is found. Undefined until the head is complete. */
  #length: number | 'in chunks' | 'to the end' | undefined
  /** The last bytes of a chunked body. */
  #tail: Buffer = Buffer.alloc(0)

  constructor(reply: PromiseWithResolvers<Reply>) {
    this.#reply = reply
  }

  /** @returns whether the response is complete */
  receive(part: Buffer): boolean {
    const body = this.#length === undefined ? this.#receiveHead(part) : part
    if (!body) return false
    this.#bytes += body.length
    if (!this.#isComplete(body)) return false
    this.#done()
    return true
  }

  /** The connection has ended. `isClosed`: by the server, without an error. */
  ended(error: Error, isClosed: boolean): void {
    if (isClosed && this.#length === 'to the end') this.#done()
    else this.#reply.reject(error)
  }

  #done(): void {
    this.#reply.resolve({ status: this.#status, bytes: this.#bytes })
  }

  #receiveHead(part: Buffer): Buffer | undefined {
    const all = this.#head.length > 0 ? Buffer.concat([this.#head, part]) : part
    const end = all.indexOf(HEAD_END)
    if (end < 0) {
      // A copy: the runtime uses the memory of the part again.
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

  #isComplete(part: Buffer): boolean {
    if (this.#length === 'to the end') return false
    if (typeof this.#length === 'number') return this.#bytes >= this.#length
    const { length } = LAST_CHUNK
    this.#tail = Buffer.concat([this.#tail, part.subarray(-length)]).subarray(-length)
    return this.#tail.equals(LAST_CHUNK)
  }
}

/** @returns the bytes of the head of a request */
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
