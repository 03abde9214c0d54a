/** A server and commands with a database of a PostgreSQL server. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { once } from 'node:events'
import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import { temporaryFolder } from '../support/files/tree.ts'
import { outcome, signIn } from '../support/server/client.ts'
import { filemgr, REPO_ROOT, runFilemgr } from '../support/server/executable.ts'
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

  test('a server keeps its users there, and is used by commands while it runs @spec-10.14', async () => {
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

  test('no message, no log and no list of processes contains the password @spec-10.14', async () => {
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

  test('an empty database is not filled by a command that only looks', async () => {
    const looked = await run('users', 'ls')
    expect(looked).toMatchObject({ code: 4, stdout: '' })
    expect(looked.stderr).toContain(`There are no tables in ${url}.`)
    expect((await run('doctor', '.')).stdout).toContain(`There are no tables in ${url}.`)
    expect(await run('import', at('none.db'))).toMatchObject({ code: 4 })
    expect(await tables()).toBe(0)
    const created = await run('config', 'init', '--port', '9001')
    expect(created.stdout).toContain(`Created ${url}.`)
    expect((await run('config', 'init')).stderr).toContain('already exists')
    const { stdout } = await run('config', 'cat')
    expect(stdout).toContain('port\t9001\tdatabase')
    expect(stdout).toContain(`database\t${url}\tflag`)
  })

  test('a backup is a file that another installation restores, on a server or in a file', async () => {
    await run('users', 'add', 'ana', 'northern lights 26')
    const server = await serve()
    await signIn(server.url, 'ana', 'northern lights 26')
    expect(await run('backup', at('b.db'))).toMatchObject({ code: 0 })
    expect(statSync(at('b.db')).mode & 0o777).toBe(0o600)
    await run('users', 'add', 'late', 'northern lights 26')
    expect((await run('restore', at('b.db'), '--overwrite')).stderr).toContain('Stop the server')
    await server.stop()
    expect((await run('restore', at('b.db'))).stderr).toContain('Replace them with --overwrite.')
    expect(await names()).toEqual(['ana', 'late'])
    expect(await run('restore', at('b.db'), '--overwrite')).toMatchObject({ code: 0 })
    expect(await names()).toEqual(['ana'])
    const file = ['--database', at('f.db')]
    const home = folder.path
    expect(await runFilemgr(['restore', at('b.db'), ...file], { home })).toMatchObject({ code: 0 })
    const { stdout } = await runFilemgr(['sessions', 'ls', ...file], { home })
    expect(stdout).toContain('ana')
  })

  test('an installation of File Browser is imported into it, completely or not at all', async () => {
    const sample = join(REPO_ROOT, 'test/fixtures/filebrowser.db')
    const tried = await run('import', sample, '--dry-run')
    expect(tried).toMatchObject({ code: 0 })
    expect(await tables()).toBe(0)
    expect(await run('import', sample)).toMatchObject({ code: 0, stdout: tried.stdout })
    const imported = await names()
    expect(imported.length).toBeGreaterThan(1)
    expect((await run('import', sample)).stderr).toContain('This was imported before.')
    expect(await names()).toEqual(imported)
  })

  test('an installation moves from a file to a server and back by `database copy`', async () => {
    const home = folder.path
    const env = { FILEMGR_DATABASE_PASSWORD: POSTGRES_PASSWORD }
    await runFilemgr(['users', 'add', 'ana', 'northern lights 26', '--database', at('f.db')], {
      home,
    })
    const copy = (from: string, to: string) =>
      runFilemgr(['database', 'copy', from, to], { home, env })
    const moved = await copy(at('f.db'), url)
    expect(moved.stdout).toMatch(/^Copied \d+ rows of \d+ tables, and compared each of them\.\n$/)
    expect(moved.stderr).toContain(`serve FOLDER --database ${url}`)
    const server = await serve()
    await signIn(server.url, 'ana', 'northern lights 26')
    expect((await copy(url, at('back.db'))).stderr).toContain('A server is using')
    await server.stop()
    expect(await copy(url, at('back.db'))).toMatchObject({ code: 0 })
    const back = await startServer({ database: at('back.db') })
    await signIn(back.url, 'ana', 'northern lights 26')
    await back.stop()
    const refused = await copy(withPassword(), at('other.db'))
    expect(refused.stderr).toContain('a password in the arguments')
  })

  test('a server that may lose acknowledged changes is named, unless that is wanted', async () => {
    const output = async (...args: string[]) => {
      const server = await serve(...args)
      await server.says(/^Storage: /m)
      await server.stop()
      return server.output()
    }
    const name = url.split('/').at(-1)
    // The server of the tests does not flush.
    expect(await output()).toContain('(fsync = off), so a crash of its machine can destroy')
    await postgres.run(url, `ALTER DATABASE ${name} SET synchronous_commit = off`)
    expect(await output()).toContain('(synchronous_commit = off), so its crash loses changes')
    expect((await run('doctor', '.')).stdout).toContain('(synchronous_commit = off)')
    expect(await output('--durability', 'relaxed')).not.toContain('(synchronous_commit = off)')
  })

  describe('that cannot be used', () => {
    const refused = async (...args: string[]) => {
      const { code, stderr } = await run('serve', folder.path, '--port', '0', ...args)
      return `${code} ${stderr}`
    }

    test('a start waits for a server that does not answer, with a line each time, and then ends', async () => {
      url = 'postgres://filemgr@127.0.0.1:1/files'
      const start = await refused('--database-wait', '6s')
      expect(start).toMatch(
        /^1 (The database files at 127\.0\.0\.1:1 does not answer\. It is waited for \d s more\.\n){2}The database files at 127\.0\.0\.1:1 does not answer\.\n$/,
      )
      const command = await run('users', 'ls')
      expect(command).toMatchObject({ code: 1 })
      expect(command.stderr).toBe('The database files at 127.0.0.1:1 does not answer.\n')
    })

    test('a start goes on when the server answers', async () => {
      await postgres.kill()
      const tried = firstConnection(postgres.port)
      const start = serve()
      await tried
      await postgres.start()
      const server = await start
      expect(server.output()).toContain('does not answer. It is waited for')
      await server.stop()
    })

    test('a wait ends when the start is stopped', async () => {
      const child = Bun.spawn(
        [...filemgr(), 'serve', folder.path, '--database', 'postgres://filemgr@127.0.0.1:1/files'],
        { env: { HOME: folder.path }, stderr: 'pipe' },
      )
      for await (const chunk of child.stderr) if (chunk.length > 0) break
      child.kill('SIGTERM')
      expect(await child.exited).toBe(0)
    })

    test('a folder that another database serves is refused, until it is served as a new one', async () => {
      mkdirSync(at('srv'))
      const file = ['--database', at('f.db')]
      const start = (database: string, ...args: string[]) =>
        startServer({
          root: at('srv'),
          database,
          args,
          env: { FILEMGR_DATABASE_PASSWORD: POSTGRES_PASSWORD },
        })
      const refusedBy = async (database: string) =>
        start(database).then(
          () => 'started',
          (error: unknown) => String(error),
        )
      const another = 'is served with another database, which has its users, trash and journal.'
      await (await start(url)).stop()
      const [first, second] = [url, await postgres.create()]
      expect(await refusedBy(second)).toContain(another)
      expect(await refusedBy(at('f.db'))).toContain(another)
      await (await start(first)).stop()
      // A copy of a database is the same installation.
      expect(await run('backup', at('b.db'))).toMatchObject({ code: 0 })
      await runFilemgr(['restore', at('b.db'), '--overwrite', ...file], { home: folder.path })
      await (await start(at('f.db'))).stop()
      await (await start(second, '--new-root')).stop()
      expect(await refusedBy(first)).toContain(another)
      await (await start(second)).stop()
    })

    test('a replica is refused until it is the primary, and a server that is too old', async () => {
      const name = url.split('/').at(-1)
      const [setting] = await postgres.run(url, 'SHOW data_directory')
      await postgres.kill()
      writeFileSync(join(String(setting?.data_directory), 'standby.signal'), '')
      await postgres.start()
      expect(await refused()).toMatch(/^1 The database test\d+ at \S+ is a replica, which cannot/)
      await postgres.run(url, 'SELECT pg_promote()')
      // What the server says of itself is hidden by a function that says something older.
      await postgres.run(
        url,
        `CREATE FUNCTION public.current_setting(name text) RETURNS text LANGUAGE sql AS
           $$ SELECT CASE name WHEN 'server_version_num' THEN '120018' WHEN 'server_version' THEN '12.18'
              ELSE pg_catalog.current_setting(name) END $$;
         ALTER DATABASE ${name} SET search_path = public, pg_catalog`,
      )
      expect(await refused()).toMatch(
        /^2 The database \S+ at \S+ is PostgreSQL 12\.18\. filemgr needs version 13/,
      )
    })

    test('a wrong password, a database that can only be read, a newer version: one sentence each', async () => {
      writeFileSync(at('password'), 'not the password')
      expect(await refused()).toMatch(
        /^1 The database test\d+ at 127\.0\.0\.1:\d+ refuses the user filemgr or the password\.\n$/,
      )
      writeFileSync(at('password'), POSTGRES_PASSWORD)
      const name = url.split('/').at(-1)
      await postgres.run(url, `ALTER DATABASE ${name} SET default_transaction_read_only = on`)
      expect(await refused()).toMatch(/^1 The database test\d+ at \S+ can only be read\.\n$/)
      await postgres.run(url, `SET transaction_read_only = off; ALTER DATABASE ${name} RESET ALL`)
      await run('config', 'init')
      await postgres.run(url, 'UPDATE schema_version SET version = 9999, needed = 9999')
      expect(await refused()).toMatch(/^1 .* was written by a newer filemgr\./)
    })
  })

  const names = async (): Promise<string[]> => {
    const { stdout } = await run('users', 'ls', '--json')
    return JSON.parse(stdout).map(({ username }: { username: string }) => username)
  }
  const tables = async () => {
    const [row] = await postgres.run(
      url,
      `SELECT count(*)::int AS count FROM pg_tables WHERE schemaname = 'public'`,
    )
    return row?.count
  }
})

/** Waits until a program connects to a port, and ends the connection without an answer. Nothing listens there afterwards. */
async function firstConnection(port: number): Promise<void> {
  const server = createServer().listen(port, '127.0.0.1')
  const [socket]: Socket[] = await once(server, 'connection')
  server.close()
  socket?.destroy()
  await once(server, 'close')
}
