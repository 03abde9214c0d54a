/**
 * A network file system that lacks what several servers rely on. One server works there; a second one is refused, before it
 * changes anything.
 */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { cpSync, mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { API } from '#wire/api/routes.ts'
import { temporaryFolder } from '../support/files/tree.ts'
import { anonymous, outcome, signIn } from '../support/server/client.ts'
import { runFilemgr } from '../support/server/executable.ts'
import { PASSWORD } from '../support/server/passwords.ts'
import {
  POSTGRES_PASSWORD,
  postgresMissing,
  startPostgres,
  type TestPostgres,
} from '../support/server/postgres.ts'
import { startServer, type TestServer } from '../support/server/server.ts'
import { noFuse, withFuse } from '../support/system/fuse.ts'
import { noMounts, withMounts } from '../support/system/mounts.ts'
import { noSeaweedFs, SeaweedVolume } from '../support/system/seaweedfs.ts'

const env = { FILEMGR_DATABASE_PASSWORD: POSTGRES_PASSWORD }
const NO_RENAME = 'a rename cannot be refused if the new name is taken (RENAME_NOREPLACE)'

const missing = postgresMissing() ?? noMounts
if (missing) process.stdout.write(`${missing}\n`)

describe.skipIf(missing !== undefined)('a second server @spec-10.21', () => {
  let postgres: TestPostgres
  let folder: ReturnType<typeof temporaryFolder>
  let root: string
  let servers: TestServer[]
  let volume: SeaweedVolume | undefined
  beforeAll(async () => {
    postgres = await startPostgres()
  })
  afterAll(() => postgres.remove())
  beforeEach(() => {
    servers = []
    volume = undefined
    folder = temporaryFolder()
    root = join(folder.path, 'root')
    mkdirSync(root)
  })
  afterEach(async () => {
    for (const server of servers) {
      server.kill('SIGKILL')
      await server.stop()
    }
    await volume?.remove()
    folder.remove()
  })

  const start = async (database: string, program?: [string, ...string[]]) => {
    const server = await startServer({ root, database, env, ...(program && { program }) })
    servers.push(server)
    return server
  }
  const refusal = async (database: string, program: [string, ...string[]]) =>
    start(database, program).then(
      () => 'started',
      (error: unknown) => String(error),
    )

  const noSshfs = noFuse('sshfs')
  if (noSshfs) process.stdout.write(`${noSshfs}\n`)
  test.skipIf(noSshfs !== undefined)(
    'on a file system without RENAME_NOREPLACE is refused, and the first one says so before',
    async () => {
      const database = await postgres.create()
      const program = withFuse('sshfs', root)
      const first = await start(database, program)
      const notice = await first.says(/^Only one server can serve.*/m)
      expect(notice).toBe(
        `Only one server can serve ${root}. On its file system ${NO_RENAME}. A second server is refused. For several, store the files on another file system.`,
      )
      await first.says(/On the file system of \S+ two names cannot be exchanged/)
      const { stdout } = await runFilemgr(['doctor', root, '--database', database], {
        home: folder.path,
        env,
        program,
      })
      expect(stdout).toContain(
        `WARNING  Only one server can serve ${root}. On its file system ${NO_RENAME}`,
      )
      const work = () => readdirSync(`${root}-sshfs/.filemgr/work`)
      const before = work()
      expect(await refusal(database, program)).toContain(
        `Another server serves ${root} too, and the two could replace each other's files. On its file system ${NO_RENAME}.`,
      )
      expect(work()).toEqual(before)
      const admin = await signIn(first.url, 'admin', PASSWORD)
      expect(await outcome(admin.call('POST', `${API.resources}/new`, 'new'))).toBe('200')
      first.kill('SIGKILL')
      await first.stop()
      // It has ended, so it is no second one.
      const next = await start(database, program)
      expect(await outcome(anonymous(next.url).call('GET', API.ready))).toBe('200')
    },
    60_000,
  )

  const noSeaweed = noSeaweedFs()
  if (noSeaweed) process.stdout.write(`${noSeaweed}\n`)
  test.skipIf(noSeaweed !== undefined)(
    'through a mount that gives names again which were taken through the other one is refused',
    async () => {
      const database = await postgres.create()
      const seaweed = new SeaweedVolume()
      volume = seaweed
      await seaweed.open()
      const onMount = async () => withMounts(root, [{ at: '', folder: await seaweed.mount() }])
      const first = await start(database, await onMount())
      await first.says(/^Storage: /m)
      // One mount does not show it.
      expect(first.output()).not.toContain('Only one server')
      expect(await refusal(database, await onMount())).toContain(
        'On its file system two files that are made at the same moment can get the same name.',
      )
    },
    60_000,
  )

  test('with a copy of the folder at the same path is refused', async () => {
    const database = await postgres.create()
    await start(database)
    cpSync(root, join(folder.path, 'copy'), { recursive: true })
    const onCopy = withMounts(root, [{ at: '', folder: join(folder.path, 'copy') }])
    expect(await refusal(database, onCopy)).toContain(
      `Another server serves ${root} too, and the two could replace each other's files. Its folder at this path is another one`,
    )
    const servers = await postgres.run(database, 'SELECT number FROM servers')
    expect(servers).toEqual([{ number: '1' }])
  }, 60_000)
})
