/** Options that change while the server runs: by a command, and by a reload of the configuration file. */
import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { temporaryFolder } from '../support/files/tree.ts'
import { anonymous, outcome } from '../support/server/client.ts'
import { runFilemgr } from '../support/server/executable.ts'
import { startServer, type TestServer } from '../support/server/server.ts'

let folder: ReturnType<typeof temporaryFolder>
let server: TestServer
beforeEach(async () => {
  folder = temporaryFolder()
  mkdirSync(at('srv'))
  writeFileSync(at('c.yaml'), 'branding:\n  name: First\n')
  server = await startServer({
    root: at('srv'),
    database: at('f.db'),
    args: ['--config', at('c.yaml')],
  })
})
afterEach(async () => {
  await server.stop()
  folder.remove()
})

const at = (...names: string[]) => join(folder.path, ...names)
/** The name in the page. */
async function nameShown(): Promise<string> {
  const page = await (await fetch(`${server.url}/login`)).text()
  return /"Name":"([^"]*)"/.exec(page)?.[1] ?? page
}
const set = (key: string, value: string) =>
  runFilemgr(['config', 'set', key, value, '--database', at('f.db')], { home: folder.path })

describe('config set', () => {
  test('config set applies from the next request on', async () => {
    expect(await nameShown()).toBe('First')
    await set('branding.name', 'Second')
    expect(await nameShown()).toBe('Second')
  })
})

describe('SIGHUP', () => {
  test('SIGHUP applies the options that have changed in the file, and no others', async () => {
    await set('hideLoginButton', 'true')
    writeFileSync(at('c.yaml'), `branding:\n  name: Third\nlog: ${at('log')}\nauditDays: 9\n`)
    server.kill('SIGHUP')
    await server.says(/was read again\. Changed: branding\.name, log\./)
    await server.says(/^These options apply from the next start: auditDays\.$/m)
    expect(await nameShown()).toBe('Third')
    await outcome(anonymous(server.url).call('GET', '/api/users'))
    expect(existsSync(at('log'))).toBe(true)
    const { stdout } = await runFilemgr(
      ['config', 'cat', '--json', '--database', at('f.db'), '--config', at('c.yaml')],
      { home: folder.path },
    )
    const rows: { key: string; value: unknown; origin: string }[] = JSON.parse(stdout)
    const row = (wanted: string) => rows.find(({ key }) => key === wanted)
    expect(row('hideLoginButton')).toMatchObject({ value: true, origin: 'settings' })
    expect(row('log')).toMatchObject({ value: at('log'), origin: 'file' })
    expect(row('address')).toMatchObject({ origin: 'default' })
  })

  test('SIGHUP keeps the settings of administrators if the file has not changed', async () => {
    await set('branding.name', 'Second')
    server.kill('SIGHUP')
    await server.says(/was read again\. Changed: nothing\./)
    expect(await nameShown()).toBe('Second')
  })

  test('SIGHUP changes nothing if the file is invalid', async () => {
    writeFileSync(at('c.yaml'), 'branding:\n  name: Third\nprot: 80\n')
    server.kill('SIGHUP')
    await server.says(/The configuration is unchanged\. .*c\.yaml:3: prot is not an option/)
    writeFileSync(at('c.yaml'), 'branding:\n  name: Third\nsignup: true\n')
    server.kill('SIGHUP')
    await server.says(/The configuration is unchanged\. Open sign-up needs a folder/)
    expect(await nameShown()).toBe('First')
  })

  test('SIGHUP changes nothing if the log file cannot be written', async () => {
    writeFileSync(at('c.yaml'), `branding:\n  name: Third\nlog: ${at('absent', 'log')}\n`)
    server.kill('SIGHUP')
    await server.says(/The configuration is unchanged\. The log file .* cannot be written/)
    expect(await nameShown()).toBe('First')
  })

  test('SIGHUP keeps the log file if other options are refused', async () => {
    writeFileSync(at('c.yaml'), `signup: true\nlog: ${at('log')}\n`)
    server.kill('SIGHUP')
    await server.says(/The configuration is unchanged\. Open sign-up needs a folder/)
    await outcome(anonymous(server.url).call('GET', '/api/users'))
    await server.says(/\/api\/users: 401/)
  })
})
