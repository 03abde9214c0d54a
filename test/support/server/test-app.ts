/** A server with clients: the administrator, an ordinary user with a home folder, and an anonymous visitor. */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { temporaryFolder } from '../files/tree.ts'
import { anonymous, type Client, signIn } from './client.ts'
import { runFilemgr } from './executable.ts'
import { PASSWORD, PASSWORD_HASH } from './passwords.ts'
import { type ServerOptions, startServer, type TestServer } from './server.ts'
import { newDatabase } from './test-database.ts'

export interface TestApp {
  server: TestServer
  url: string
  root: string
  database: string
  admin: Client
  /** `anna`, whose scope is `/anna`, with all rights except admin and execute. */
  anna: Client
  anonymous: Client
  /** Adds a user with the command line while the server runs, and signs the user in. */
  person(username: string, ...args: string[]): Promise<Client>
  /** A user with the folder of `anna` who may not download; the same user for each call. */
  withoutDownload(): Promise<Client>
  /**
   * Runs a command of the command line on the server's database.
   *
   * @throws Error if it fails
   */
  runCommand(...args: string[]): Promise<void>
  stop(): Promise<void>
}

export async function openTestApp(options: ServerOptions = {}): Promise<TestApp> {
  const folder = temporaryFolder()
  const database = await newDatabase(folder.path)
  const root = options.root ?? join(folder.path, 'root')
  mkdirSync(join(root, 'anna'), { recursive: true })
  const server = await startServer({ ...options, root, database })
  const runCommand = async (...args: string[]) => {
    const run = await runFilemgr([...args, '--database', database], { home: folder.path })
    if (run.code !== 0) throw new Error(run.stderr)
  }
  const person = async (username: string, ...args: string[]) => {
    await runCommand('users', 'add', username, '--password-hash', PASSWORD_HASH, ...args)
    return signIn(server.url, username, PASSWORD)
  }
  let noDownload: Promise<Client> | undefined
  return {
    server,
    url: server.url,
    root,
    database,
    admin: await signIn(server.url, 'admin', server.password),
    anna: await person('anna', '--scope', '/anna'),
    anonymous: anonymous(server.url),
    person,
    withoutDownload() {
      const rights = ['--perm.download=false', '--perm.share=false']
      noDownload ??= person('without-download', '--scope', '/anna', ...rights)
      return noDownload
    },
    runCommand,
    async stop() {
      await server.stop()
      folder.remove()
    },
  }
}
