/** A client of the command socket. */

import type { Fixture } from './fixture.ts'
import type { RawResponse } from './raw-request.ts'

/**
 * Requests an upgrade.
 *
 * @returns the response
 */
export function connect(fixture: Fixture, who: string): Promise<RawResponse> {
  return fixture.raw(who, 'GET', '/api/command/', '', {
    Connection: 'Upgrade',
    Upgrade: 'websocket',
    'Sec-WebSocket-Version': '13',
    'Sec-WebSocket-Key': btoa('0123456789abcdef'),
  })
}

/**
 * Sends a command line.
 *
 * @returns the complete output
 */
export function runCommand(fixture: Fixture, who: string, line: string): Promise<string> {
  const headers = { 'X-Auth': fixture.tokens[who] ?? '' }
  // Bun's WebSocket accepts headers, which the DOM type lacks.
  const socket = new WebSocket(`${fixture.url.replace('http', 'ws')}/api/command/`, {
    headers,
  } as object as string[])
  return new Promise((resolve, reject) => {
    const responses: string[] = []
    socket.onopen = () => socket.send(line)
    socket.onmessage = ({ data }) => responses.push(String(data))
    socket.onerror = () => reject(new Error('the socket was refused'))
    socket.onclose = () => resolve(responses.join('\n'))
  })
}
