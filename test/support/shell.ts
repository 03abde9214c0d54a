/** Somebody at the command socket. */
import { API } from '#wire/routes.ts'
import { SHELL_PROTOCOL, type ShellReply, type ShellRequest } from '#wire/shell.ts'
import type { Client } from './client.ts'

export interface Spoken {
  /** Text frames in their order. */
  lines: string[]
  closeCode: number
}

export interface Shell {
  send(request: ShellRequest | string): void
  /** Waits for a reply that fits, among those that came and those to come. */
  until(fits: (reply: ShellReply) => boolean): Promise<ShellReply>
  /** What a terminal showed, or a program wrote, so far. */
  text(): string
  /** Waits until the text holds this. */
  shows(pattern: RegExp): Promise<string>
  ended: Promise<Extract<ShellReply, { type: 'exit' }>>
  closed: Promise<number>
  close(): void
}

/** Opens a socket. @throws Error when the server refuses it */
export async function openSocket(
  url: string,
  headers: Record<string, string>,
  folder = '/',
): Promise<WebSocket> {
  const address = url.replace('http', 'ws') + API.command + folder
  // Bun's sockets take headers; the browser's type, which the interface's tests bring, does not know.
  const socket = new WebSocket(address, { headers } as unknown as string[])
  await new Promise<void>((done, fail) => {
    socket.onopen = () => done()
    socket.onerror = () => fail(new Error('The socket was refused.'))
    socket.onclose = () => fail(new Error('The socket was refused.'))
  })
  return socket
}

/** Says one line in the plain protocol and listens to the end. */
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

/** Opens the second protocol. */
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
