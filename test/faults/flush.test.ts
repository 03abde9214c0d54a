/**
 * Answered means kept: what a change wrote, and the name it gave or took, are forced to the disk before
 * the answer. strace shows the calls in their order, where this machine lets it.
 */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { API } from '#wire/routes.ts'
import { type Client, outcome, signIn } from '../support/client.ts'
import { startServer, type TestServer } from '../support/server.ts'
import { mayTrace, trace } from '../support/tracing.ts'

const traces = await mayTrace()
const CALLS = 'fsync,fdatasync,rename,renameat,renameat2,mkdir,mkdirat'

let server: TestServer
let admin: Client
beforeAll(async () => {
  server = await startServer()
  admin = await signIn(server.url, 'admin', server.password)
  for (const folder of ['from', 'to']) mkdirSync(join(server.root, folder))
  for (const name of ['saved', 'from/moved', 'copied', 'removed']) {
    writeFileSync(join(server.root, name), name)
  }
})
afterAll(() => server.stop())

/** The calls that a request made: `fsync /to`, with the served root taken off and `*` for staged names. */
async function callsOf(method: string, address: string, body?: BodyInit): Promise<string[]> {
  const stop = await trace(server.pid, ['-y', '-e', `trace=${CALLS}`])
  const answer = await outcome(admin.call(method, `${API.resources}/${address}`, body))
  const lines = await stop()
  expect(answer).toMatch(/^20/)
  return lines
    .filter(
      (line) =>
        / = 0$/.test(line) && (line.includes(server.root) || line.includes('/proc/self/fd/')),
    )
    .map((line) => {
      const call = /\d+ +(\w+)\(/.exec(line)?.[1] ?? ''
      const paths = [...line.matchAll(/<([^>]*)>(?:\/([^"]*)|, "([^"]*)")?/g)].map(
        ([, folder = '', below, name]) => [folder, below ?? name].filter(Boolean).join('/'),
      )
      const short = paths.map((path) =>
        path.replace(server.root, '').replace(/\/\.filemgr\/work\/.*/, '/*'),
      )
      return [call, ...short].join(' ')
    })
}

/** Whether `later` follows the last `earlier`. */
function follows(calls: string[], earlier: RegExp, later: RegExp): boolean {
  const at = calls.findLastIndex((call) => earlier.test(call))
  return at >= 0 && calls.slice(at + 1).some((call) => later.test(call))
}

test.skipIf(!traces)(
  'new content is forced to the disk before its name, and then the name',
  async () => {
    for (const [method, address] of [
      ['POST', 'new'],
      ['PUT', 'saved'],
    ] as const) {
      const calls = await callsOf(method, address, 'content')
      expect(follows(calls, /^f(data)?sync \/\*$/, /^rename/), calls.join('\n')).toBe(true)
      expect(follows(calls, /^rename/, /^fsync $/), calls.join('\n')).toBe(true)
    }
  },
)

test.skipIf(!traces)(
  'a new folder, a move, a copy and a removal force their names to the disk',
  async () => {
    const made = await callsOf('POST', 'to/folder/')
    expect(follows(made, /^mkdir/, /^fsync \/to$/), made.join('\n')).toBe(true)
    const moved = await callsOf('PATCH', 'from/moved?action=rename&destination=%2Fto%2Fmoved')
    for (const folder of [/^fsync \/to$/, /^fsync \/from$/]) {
      expect(follows(moved, /^rename/, folder), moved.join('\n')).toBe(true)
    }
    const copied = await callsOf('PATCH', 'copied?action=copy&destination=%2Fto%2Fcopied')
    expect(follows(copied, /^f(data)?sync \/\*$/, /^rename/), copied.join('\n')).toBe(true)
    expect(follows(copied, /^rename/, /^fsync \/to$/), copied.join('\n')).toBe(true)
    const removed = await callsOf('DELETE', 'removed')
    expect(follows(removed, /^rename/, /^fsync $/), removed.join('\n')).toBe(true)
  },
)
