/** The root of a database: that of its users, rules and public links, and that of an import. */
import { expect, test } from 'bun:test'
import { mkdirSync, readdirSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { temporaryFolder } from '../support/files/tree.ts'
import { runFilemgr } from '../support/server/executable.ts'
import { oldUser } from '../support/server/old-installation.ts'
import { startServer } from '../support/server/server.ts'

test('a start with another folder than before says that users and public links now apply to it', async () => {
  const folder = temporaryFolder()
  const database = join(folder.path, 'f.db')
  const outputOf = async (name: string) => {
    const root = join(folder.path, name)
    mkdirSync(root, { recursive: true })
    const server = await startServer({ root, database })
    await server.stop()
    return server.output()
  }
  const notice = /was used for (\S+)\/(\w+) before\. .*public links now apply to \S+\/(\w+)\./
  expect(await outputOf('one')).not.toMatch(notice)
  expect(await outputOf('one')).not.toMatch(notice)
  const other = await outputOf('two')
  expect(notice.exec(other)?.slice(2)).toEqual(['one', 'two'])
  expect(other).toContain(`The database is ${database}. Sign in as one of its users;`)
  const [root, own] = ['two', 'two.db'].map((name) => join(folder.path, name))
  expect(other).toContain(`name another database: `)
  expect(other).toContain(`filemgr serve ${root} --database ${own}\n`)
  renameSync(join(folder.path, 'one'), join(folder.path, 'gone'))
  expect(await outputOf('two')).not.toMatch(notice)
  folder.remove()
}, 60_000)

test('a start that names no folder serves none but the one that the database served before', async () => {
  const folder = temporaryFolder()
  const database = join(folder.path, 'f.db')
  const [root, other] = ['root', 'other'].map((name) => join(folder.path, name))
  if (!root || !other) throw new Error('two names have two paths')
  for (const path of [root, other]) mkdirSync(path)
  await (await startServer({ root, database })).stop()
  for (const words of [
    ['-d', database],
    ['serve', '-d', database, '--port', '0'],
    ['serv', '-d', database],
  ]) {
    const run = await runFilemgr(words, { cwd: other, home: folder.path })
    expect([words, run.code, run.stdout]).toEqual([words, 2, ''])
  }
  const { stderr } = await runFilemgr(['-d', database], { cwd: other, home: folder.path })
  expect(stderr).toContain(`filemgr serve ${root}`)
  expect(readdirSync(other)).toEqual([])
  folder.remove()
}, 60_000)

test('an import of users without settings refuses --root, which it would not store', async () => {
  const folder = temporaryFolder()
  const users = join(folder.path, 'users.json')
  writeFileSync(users, JSON.stringify([oldUser(1, 'ana')]))
  const run = (...words: string[]) =>
    runFilemgr(['import', users, '--database', join(folder.path, 'f.db'), ...words], {
      home: folder.path,
    })
  expect(await run('--root', folder.path)).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('--root would not be stored'),
  })
  expect((await run()).code).toBe(0)
  folder.remove()
}, 60_000)
