/** A server starts itself again with an option of the JavaScript engine, and is otherwise the same process. */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { startServer, type TestServer } from '../support/server.ts'
import { type Installed, install } from './installed.ts'

const OPTION = 'BUN_JSC_thresholdForFTLOptimizeAfterWarmUp'

let installed: Installed
beforeAll(() => {
  installed = install()
})
afterAll(() => installed.remove())

/** The strings of a file in /proc, each byte as a character. */
const strings = ({ pid }: TestServer, file: string) =>
  readFileSync(`/proc/${pid}/${file}`, 'latin1').split('\0').slice(0, -1)

test('a server has the option, and keeps its process, arguments and environment', async () => {
  const odd = 'ODD="$(printf "\\351")" exec "$0" "$@"'
  const server = await startServer({
    program: ['sh', '-c', odd, installed.executable],
    args: ['--cache-dir', installed.makeFolder('Ärger & Co')],
  })
  try {
    const environment = strings(server, 'environ')
    expect(environment.filter((text) => text.startsWith(OPTION))).toEqual([`${OPTION}=1000000`])
    expect(environment).toContain('ODD=\xe9')
    const [program, command, root, ...rest] = strings(server, 'cmdline')
    expect([program, command, root]).toEqual([installed.executable, 'serve', server.root])
    expect(Buffer.from(rest.at(-1) ?? '', 'latin1').toString()).toEndWith('Ärger & Co')
  } finally {
    expect(await server.stop()).toBe(0)
  }
})

test('a value of the option that is set already is kept', async () => {
  const server = await startServer({
    program: [installed.executable],
    env: { [OPTION]: '200000' },
  })
  try {
    expect(strings(server, 'environ').filter((text) => text.startsWith(OPTION))).toEqual([
      `${OPTION}=200000`,
    ])
  } finally {
    expect(await server.stop()).toBe(0)
  }
})
