/** Disks below the served folder that are not mounted: the start and doctor say so, before users store files there. */
import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { API } from '#wire/api/routes.ts'
import { temporaryFolder } from '../support/files/tree.ts'
import { outcome, signIn } from '../support/server/client.ts'
import { PASSWORD } from '../support/server/passwords.ts'
import { startServer, type TestServer } from '../support/server/server.ts'
import { noMounts, withMounts } from '../support/system/mounts.ts'

const NOTICE = /No disk is mounted at (.+)\. What/

describe.skipIf(noMounts !== undefined)('a disk that is not mounted', () => {
  let folder: ReturnType<typeof temporaryFolder>
  beforeEach(() => {
    folder = temporaryFolder()
    mkdirSync(at('root'))
  })
  afterEach(() => folder.remove())

  const at = (...names: string[]) => join(folder.path, ...names)
  const start = (program: [string, ...string[]]) =>
    startServer({ root: at('root'), database: at('filemgr.db'), program })
  /** A start of the server with this table of the system, and with a disk in memory at `usb`. */
  const withTable = (points: readonly string[]) => {
    const lines = points.map((point) => `UUID=1 ${point} ext4 defaults 0 2`)
    writeFileSync(at('fstab'), ['# /root/commented x ext4', ...lines, ''].join('\n'))
    return withMounts(
      at('root'),
      [{ at: 'usb', sizeMiB: 8 }],
      [`mount --bind '${at('fstab')}' /etc/fstab`],
    )
  }
  const noticesOf = async (server: TestServer) => {
    await server.says(/Storage: /)
    return [...server.output().matchAll(new RegExp(NOTICE, 'g'))].map(([, path]) => path)
  }
  const doctor = (program: readonly string[]) => {
    const [command = '', ...args] = program
    const words = ['doctor', at('root'), '--database', at('filemgr.db')]
    return Bun.spawnSync([command, ...args, ...words]).stdout.toString()
  }

  test('but is in the table of the system is named, and one that is mounted is not', async () => {
    mkdirSync(at('root', 'my nas'))
    const table = [at('root', 'my\\040nas'), at('root', 'usb/'), at('elsewhere'), folder.path]
    const program = withTable(table)
    const server = await start(program)
    try {
      await server.says(new RegExp(`${NOTICE.source}(.|\\n)*${NOTICE.source}`))
      expect(await noticesOf(server)).toEqual([folder.path, at('root', 'my nas')])
      expect(doctor(program)).toContain(`No disk is mounted at ${at('root', 'my nas')}.`)
      expect(doctor(program)).not.toContain(at('root', 'usb'))
    } finally {
      await server.stop()
    }
  })

  test('but has a trash of the served folder is named', async () => {
    const program = withTable([])
    const first = await start(program)
    const admin = await signIn(first.url, 'admin', PASSWORD)
    await admin.call('POST', `${API.resources}/usb/gone.txt`, 'x')
    expect(await outcome(admin.call('DELETE', `${API.resources}/usb/gone.txt`))).toBe('204')
    expect(await noticesOf(first)).toEqual([])
    await first.stop()
    const second = await start(withMounts(at('root'), [], ['true']))
    try {
      expect(await second.says(NOTICE)).toBe(at('root', 'usb'))
    } finally {
      await second.stop()
    }
  })
})
