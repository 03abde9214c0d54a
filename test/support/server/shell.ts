/** A client of the command WebSocket. */
import { API } from '#wire/api/routes.ts'
import { SHELL_PROTOCOL, type ShellReply, type ShellRequest } from '#wire/api/shell.ts'
import type { Client } from './client.ts'

export interface Spoken {
  /** The received text frames in their order. */
  lines: string[]
  closeCode: number
}

export interface Shell {
  send(request: ShellRequest | string): void
  /** Waits for a matching reply, among those received and those to come. */
  until(fits: (reply: ShellReply) => boolean): Promise<ShellReply>
  /** The terminal output, or the output of a program, so far. */
  text(): string
  /** Waits until the text matches. */
  shows(pattern: RegExp): Promise<string>
  ended: Promise<Extract<ShellReply, { type: 'exit' }>>
  closed: Promise<number>
  close(): void
}

/**
 * Opens a WebSocket.
 *
 * @throws Error if the server refuses it
 */
export async function openSocket(
  url: string,
  headers: Record<string, string>,
  folder = '/',
): Promise<WebSocket> {
  const address = url.replace('http', 'ws') + API.command + folder
  // Bun's WebSocket accepts headers; the browser's type, which the tests of the interface use, does not include them.
  const socket = new WebSocket(address, { headers } as unknown as string[])
  await new Promise<void>((done, fail) => {
    socket.onopen = () => done()
    socket.onerror = () => fail(new Error('The socket was refused.'))
    socket.onclose = () => fail(new Error('The socket was refused.'))
  })
  return socket
}

/** Sends one line in the plain protocol and reads to the end. */
export async function say(
  client: Client,
  url: string,
  line: string,
  folder = '/',
): Promise<Spoken> {
  const socket = await openSocket(url, { 'X-Auth': client.token }, folder)
  const lines: string[] = []
  const closed = new Promise<number>((done) => {
    socket.onclose = ({ code }) => done(code)
  })
  socket.onmessage = ({ data }) => lines.push(String(data))
  socket.send(line)
  return { closeCode: await closed, lines }
}

/** Opens a connection with the framed protocol. */
export async function openShell(client: Client, url: string, folder = '/'): Promise<Shell> {
  const headers = { 'X-Auth': client.token, 'Sec-WebSocket-Protocol': SHELL_PROTOCOL }
  const socket = await openSocket(url, headers, folder)
  const replies: ShellReply[] = []
  let look = () => {}
  socket.onmessage = ({ data }) => {
    replies.push(JSON.parse(String(data)) as ShellReply)
    look()
  }
  const closed = new Promise<number>((done) => {
    socket.onclose = ({ code }) => {
      look()
      done(code)
    }
  })
  const wait = <T>(find: () => T | undefined) =>
    new Promise<T>((done, fail) => {
      const before = look
      look = () => {
        before()
        const found = find()
        if (found !== undefined) done(found)
        else if (socket.readyState > WebSocket.OPEN) fail(new Error(JSON.stringify(replies)))
      }
      look()
    })
  const text = () => replies.map((reply) => ('data' in reply ? reply.data : '')).join('')
  const isExit = (reply: ShellReply) => reply.type === 'exit'
  const until = (fits: (reply: ShellReply) => boolean) => wait(() => replies.find(fits))
  return {
    send: (request) => socket.send(typeof request === 'string' ? request : JSON.stringify(request)),
    until,
    text,
    shows: (pattern) => wait(() => pattern.exec(text())?.[0]),
    get ended() {
      return until(isExit) as Promise<Extract<ShellReply, { type: 'exit' }>>
    },
    closed,
    close: () => socket.close(),
  }
}
