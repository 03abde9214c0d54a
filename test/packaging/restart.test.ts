/**
 * A server replaces itself by a new start with an option of the JavaScript engine. Its process id, arguments and
 * environment stay (docs/decisions.md, "A server starts itself again to set an option of the engine").
 */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { startServer, type TestServer } from '../support/server/server.ts'
import { type Installed, install } from './installed.ts'

const OPTION = 'BUN_JSC_thresholdForFTLOptimizeAfterWarmUp'

let installed: Installed
beforeAll(() => {
  installed = install()
})
afterAll(() => installed.remove())

/** The strings in a file of /proc, which end with NUL. Each byte is one character. */
const strings = ({ pid }: TestServer, file: string) =>
  readFileSync(`/proc/${pid}/${file}`, 'latin1').split('\0').slice(0, -1)

test('a server has the option of the engine, and keeps its process id, arguments and environment', async () => {
  const setOddVariable = 'ODD="$(printf "\\351")" exec "$0" "$@"'
  const server = await startServer({
    program: ['sh', '-c', setOddVariable, installed.executable],
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

test('a server keeps a value of the option that is set already', async () => {
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
