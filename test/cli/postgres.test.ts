/** A server and commands with a database of a PostgreSQL server. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { temporaryFolder } from '../support/files/tree.ts'
import { outcome, signIn } from '../support/server/client.ts'
import { runFilemgr } from '../support/server/executable.ts'
import {
  POSTGRES_PASSWORD,
  postgresMissing,
  startPostgres,
  type TestPostgres,
} from '../support/server/postgres.ts'
import { startServer } from '../support/server/server.ts'

describe.skipIf(postgresMissing() !== undefined)('with PostgreSQL', () => {
  let postgres: TestPostgres
  let folder: ReturnType<typeof temporaryFolder>
  let url: string
  beforeAll(async () => {
    postgres = await startPostgres()
  })
  afterAll(() => postgres.remove())
  beforeEach(async () => {
    folder = temporaryFolder()
    url = await postgres.create()
    writeFileSync(at('password'), `${POSTGRES_PASSWORD}\n`, { mode: 0o600 })
  })
  afterEach(() => folder.remove())

  const at = (...names: string[]) => join(folder.path, ...names)
  const withPassword = () => url.replace('@', `:${encodeURIComponent(POSTGRES_PASSWORD)}@`)
  const run = (...words: string[]) =>
    runFilemgr([...words, '--database', url, '--database-password-file', at('password')], {
      home: folder.path,
    })
  const serve = (...args: string[]) =>
    startServer({ database: url, args: ['--database-password-file', at('password'), ...args] })

  test('a server keeps its users there, and is used by commands while it runs', async () => {
    const server = await serve()
    const admin = await signIn(server.url, 'admin', server.password)
    expect(await outcome(admin.call('POST', '/api/resources/a.txt', 'a'))).toBe('200')
    const added = await run('users', 'add', 'ana', 'northern lights 26')
    expect(added).toMatchObject({ code: 0, stderr: '' })
    const ana = await signIn(server.url, 'ana', 'northern lights 26')
    expect(await outcome(ana.call('GET', '/api/resources/a.txt'))).toBe('200')
    const status = await run('status', '--url', server.url)
    expect(status).toMatchObject({ code: 0, stderr: '' })
    expect(await server.stop()).toBe(0)
    const again = await serve()
    expect(await signIn(again.url, 'ana', 'northern lights 26')).toBeDefined()
    await again.stop()
  })

  test('no message, no log and no list of processes contains the password', async () => {
    const server = await startServer({
      database: url,
      env: { FILEMGR_DATABASE_PASSWORD: POSTGRES_PASSWORD },
    })
    const commandLine = readFileSync(`/proc/${server.pid}/cmdline`, 'utf8')
    await server.stop()
    const env = { FILEMGR_DATABASE: withPassword() }
    const home = folder.path
    const shown = [commandLine, server.output()]
    for (const words of [
      ['config', 'cat'],
      ['doctor', '.'],
      ['status'],
      ['config', 'export', at('c.json')],
    ]) {
      const { stdout, stderr } = await runFilemgr(words, { home, env })
      shown.push(stdout, stderr)
    }
    shown.push(readFileSync(at('c.json'), 'utf8'))
    for (const text of shown) {
      expect(text).not.toContain(POSTGRES_PASSWORD)
      expect(text).not.toContain(encodeURIComponent(POSTGRES_PASSWORD))
    }
    expect(shown.join('')).toContain(url)
    const refused = await runFilemgr(['users', 'ls', '--database', withPassword()], { home })
    expect(refused).toMatchObject({ code: 2, stdout: '' })
    expect(refused.stderr).toContain(
      'a password in the arguments is shown in the list of processes',
    )
    expect(refused.stderr).not.toContain(encodeURIComponent(POSTGRES_PASSWORD))
  })
})
