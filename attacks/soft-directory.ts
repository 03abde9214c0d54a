/**
 * A directory (LDAP) in this process: binds and searches of a few people. It behaves as the standard allows: an empty password
 * is a log-in of anyone (RFC 4513 section 5.1.2), and a filter means what it says.
 */
import { createServer, type Socket } from 'node:net'

export const DIRECTORY_BASE = 'ou=people,dc=example,dc=org'
export const DIRECTORY_PASSWORD = 'the password in the directory'

/** An entry, by its attributes in lower case. */
type Entry = Record<string, string[]>

export interface SoftDirectory extends Disposable {
  /** `ldap://127.0.0.1:PORT` */
  address: string
  /** Adds a person with a unique id. */
  person(uid: string, id: string, groups?: string[]): void
  /** Passwords that were received with a name. */
  readonly binds: { dn: string; password: string }[]
}

export async function openSoftDirectory(): Promise<SoftDirectory> {
  const people: Entry[] = []
  const binds: SoftDirectory['binds'] = []
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => undefined)
    socket.on('close', () => sockets.delete(socket))
    let pending: Buffer = Buffer.alloc(0)
    socket.on('data', (chunk) => {
      pending = Buffer.concat([pending, Buffer.from(chunk)])
      for (let read = readElement(pending, 0); read; read = readElement(pending, 0)) {
        pending = pending.subarray(read.end)
        answer(socket, childrenOf(read), people, binds)
      }
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const bound = server.address()
  const port = typeof bound === 'object' && bound ? bound.port : 0
  return {
    address: `ldap://127.0.0.1:${port}`,
    person: (uid, entryuuid, memberof = []) =>
      void people.push({ uid: [uid], entryuuid: [entryuuid], memberof, objectclass: ['person'] }),
    binds,
    [Symbol.dispose]() {
      server.close()
      for (const socket of sockets) socket.destroy()
    },
  }
}

const [BIND, SEARCH] = [0x60, 0x63]

function answer(
  socket: Socket,
  [id, operation]: Element[],
  people: readonly Entry[],
  binds: SoftDirectory['binds'],
): void {
  if (!id || !operation) return
  const reply = (tag: number, ...content: Buffer[]) =>
    socket.write(element(0x30, element(0x02, id.value), element(tag, ...content)))
  const result = (code: number) => [octets(0x0a, Buffer.from([code])), octets(0x04), octets(0x04)]
  const parts = childrenOf(operation)
  if (operation.tag === BIND) {
    const [dn, password] = [textOf(parts[1]), textOf(parts[2])]
    binds.push({ dn, password })
    const isAnyone = password === ''
    const isKnown = people.some((entry) => dnOf(entry) === dn) && password === DIRECTORY_PASSWORD
    reply(0x61, ...result(isAnyone || isKnown || dn.startsWith('cn=reader') ? 0 : 49))
  } else if (operation.tag === SEARCH) {
    const filter = parts[6]
    for (const entry of people.filter((one) => filter && matches(filter, one))) {
      const attributes = Object.entries(entry).map(([name, values]) =>
        element(0x30, text(name), element(0x31, ...values.map(text))),
      )
      reply(0x64, text(dnOf(entry)), element(0x30, ...attributes))
    }
    reply(0x65, ...result(0))
  }
}

/** RFC 4511 section 4.5.1.7: and, or, not, equality, substrings and presence. */
function matches(filter: Element, entry: Entry): boolean {
  const parts = filter.tag === 0x87 ? [] : childrenOf(filter)
  if (filter.tag === 0xa0) return parts.every((part) => matches(part, entry))
  if (filter.tag === 0xa1) return parts.some((part) => matches(part, entry))
  if (filter.tag === 0xa2) return parts.every((part) => !matches(part, entry))
  if (filter.tag === 0x87) return (entry[textOf(filter).toLowerCase()] ?? []).length > 0
  const values = entry[textOf(parts[0]).toLowerCase()] ?? []
  if (filter.tag === 0xa3) return values.includes(textOf(parts[1]))
  const pieces = parts[1] ? childrenOf(parts[1]).map(textOf) : []
  return values.some((value) => pieces.every((piece) => value.includes(piece)))
}

function dnOf({ uid }: Entry): string {
  return `uid=${uid?.[0] ?? ''},${DIRECTORY_BASE}`
}

/** An element of the Basic Encoding Rules (X.690). */
interface Element {
  tag: number
  value: Buffer
  end: number
}

/** @returns undefined if it is not complete */
function readElement(from: Buffer, at: number): Element | undefined {
  const [tag, first] = [from[at], from[at + 1]]
  if (tag === undefined || first === undefined) return undefined
  const count = first < 0x80 ? 0 : first - 0x80
  if (from.length < at + 2 + count) return undefined
  const length = count === 0 ? first : from.readUIntBE(at + 2, count)
  const start = at + 2 + count
  if (from.length < start + length) return undefined
  return { tag, value: from.subarray(start, start + length), end: start + length }
}

function childrenOf({ value }: Element): Element[] {
  const children: Element[] = []
  for (let read = readElement(value, 0); read; read = readElement(value, read.end))
    children.push(read)
  return children
}

function textOf(read: Element | undefined): string {
  return read?.value.toString() ?? ''
}

function text(value: string): Buffer {
  return octets(0x04, Buffer.from(value))
}

function octets(tag: number, value: Buffer = Buffer.alloc(0)): Buffer {
  return element(tag, value)
}

function element(tag: number, ...content: Buffer[]): Buffer {
  const value = Buffer.concat(content)
  const length = Buffer.alloc(4)
  length.writeUInt32BE(value.length)
  return Buffer.concat([Buffer.from([tag, 0x84]), length, value])
}
