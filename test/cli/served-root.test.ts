/** A database whose users, rules and public links are used for another folder than before. */
import { expect, test } from 'bun:test'
import { mkdirSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { startServer } from '../support/server.ts'
import { temporaryFolder } from '../support/tree.ts'

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
  expect(notice.exec(await outputOf('two'))?.slice(2)).toEqual(['one', 'two'])
  renameSync(join(folder.path, 'one'), join(folder.path, 'gone'))
  expect(await outputOf('two')).not.toMatch(notice)
  folder.remove()
}, 60_000)
