/** One server for all tests of a worker. Each test gets its own administrator, whose scope is a folder of its own. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { permissionsOf } from '#wire/permissions.ts'
import { temporaryFolder } from '../support/files/tree.ts'
import { runFilemgr } from '../support/server/executable.ts'
import { PASSWORD, PASSWORD_HASH } from '../support/server/passwords.ts'
import { startServer, type TestServer } from '../support/server/server.ts'

/** More than the tests that a worker runs before it ends. */
const USERS = 800

export interface SharedServer {
  /**
   * Takes the next user. `username`, `password` and `root` of the result are those of this user; `output` begins with
   * this call, and `stop` does nothing.
   *
   * @throws Error if all users are taken
   */
  takeUser(): TestServer
  stop(): Promise<void>
}

/** @throws Error with the output of the program, if the users cannot be imported or the server does not start */
export async function startSharedServer(): Promise<SharedServer> {
  const folder = temporaryFolder()
  const database = join(folder.path, 'filemgr.db')
  await importUsers(folder.path, database)
  const server = await startServer({ database })
  let taken = 0
  return {
    takeUser() {
      if (taken === USERS) throw new Error(`A worker has only ${USERS} users.`)
      taken += 1
      const username = nameOf(taken)
      const root = join(server.root, username)
      mkdirSync(root)
      const start = server.output().length
      return {
        ...server,
        root,
        username,
        scope: `/${username}`,
        password: PASSWORD,
        output: () => server.output().slice(start),
        stop: async () => 0,
      }
    },
    async stop() {
      await server.stop()
      folder.remove()
    },
  }
}

/** Creates the database with all users. The hash is ready, so this takes no time for passwords. */
async function importUsers(home: string, database: string): Promise<void> {
  const users = Array.from({ length: USERS }, (_, index) => ({
    username: nameOf(index + 1),
    password: PASSWORD_HASH,
    scope: `/${nameOf(index + 1)}`,
    perm: permissionsOf('admin'),
  }))
  const list = join(home, 'users.json')
  writeFileSync(list, JSON.stringify(users))
  const run = await runFilemgr(['users', 'import', list, '--database', database], { home })
  if (run.code !== 0) throw new Error(run.stderr)
}

function nameOf(number: number): string {
  return `user${number}`
}
