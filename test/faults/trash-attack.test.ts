/** An account cannot push what others brought in out of the trash: by uploads that it deletes, or by a full disk. */
import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { API } from '#wire/api/routes.ts'
import { temporaryFolder } from '../support/files/tree.ts'
import { type Client, outcome } from '../support/server/client.ts'
import { openTestApp, type TestApp } from '../support/server/test-app.ts'
import { ageTrash } from '../support/storage/aged-trash.ts'
import { noMounts, withMounts } from '../support/system/mounts.ts'

const MIB = 2 ** 20
const DISK_MIB = 64
const VICTIM = new Uint8Array(6 * MIB).fill(7)
const JUNK = new Uint8Array(12 * MIB).fill(1)

if (noMounts) process.stdout.write(`${noMounts}\n`)

describe.skipIf(noMounts !== undefined)('the trash of a small disk', () => {
  let folder: ReturnType<typeof temporaryFolder>
  let app: TestApp
  let victim: Client
  let eve: Client
  let since: string
  beforeEach(async () => {
    folder = temporaryFolder()
    const root = join(folder.path, 'root')
    mkdirSync(root)
    const program = withMounts(folder.path, [{ at: 'root', sizeMiB: DISK_MIB, inodes: 2000 }])
    app = await openTestApp({ root, program })
    victim = await app.person('victor', '--scope', '/')
    eve = await app.person('eve', '--scope', '/')
    await change(victim, 'POST', '/work/', '')
    since = new Date().toISOString()
  })
  afterEach(async () => {
    await app.stop()
    folder.remove()
  })

  const ask = (who: Client, method: string, path: string, body?: Uint8Array | string) =>
    outcome(who.call(method, `${API.resources}${path}`, body))
  async function change(who: Client, method: string, path: string, body?: Uint8Array | string) {
    expect(await ask(who, method, path, body)).toMatch(/^20[0-9]$/)
  }
  const transfer = (who: Client, from: string, to: string) =>
    change(who, 'PATCH', `${from}?action=rename&destination=${encodeURIComponent(to)}`)

  /** Eve uploads and deletes three times the disk, in several ways. */
  async function pushJunk(): Promise<void> {
    await change(eve, 'POST', '/junk/', '')
    for (let turn = 0; turn < (3 * DISK_MIB) / 12; turn += 1) {
      const name = `/junk/${turn}`
      ageTrash(app.database)
      if (turn % 3 === 0) {
        await change(eve, 'POST', `${name}/`, '')
        await change(eve, 'POST', `${name}/inner`, JUNK)
      } else await change(eve, 'POST', name, JUNK)
      if (turn % 3 === 1) await transfer(eve, name, `${name} renamed`)
      await change(eve, 'DELETE', turn % 3 === 1 ? `${name}%20renamed` : name)
    }
  }

  async function undoAllOfEve(): Promise<void> {
    const answer = await app.admin.call('POST', `${API.journal}/undo-all`, {
      username: 'eve',
      since,
    })
    expect(answer.status).toBe(200)
  }

  async function expectRestored(path = '/work/plan'): Promise<void> {
    const raw = await victim.call('GET', `${API.raw}${path}`)
    expect([raw.status, Buffer.from(await raw.bytes()).equals(VICTIM)]).toEqual([200, true])
  }

  test('keeps a deleted file of another user through three times the disk of uploads', async () => {
    await change(victim, 'POST', '/work/plan', VICTIM)
    await change(eve, 'DELETE', '/work/plan')
    await pushJunk()
    await undoAllOfEve()
    await expectRestored()
  })

  test('keeps a file of another user in a folder that was renamed before it was deleted', async () => {
    await change(victim, 'POST', '/work/deep/plan', VICTIM)
    await transfer(eve, '/work/deep', '/work/other')
    await change(eve, 'DELETE', '/work/other/plan')
    await pushJunk()
    await undoAllOfEve()
    await expectRestored('/work/deep/plan')
  })

  test('keeps the replaced content of another user, also when the file is then deleted', async () => {
    await change(victim, 'POST', '/work/plan', VICTIM)
    await change(eve, 'POST', '/work/plan?override=true', 'junk')
    await change(eve, 'DELETE', '/work/plan')
    await pushJunk()
    await undoAllOfEve()
    await expectRestored()
  })

  test('keeps a file that was restored and deleted again', async () => {
    await change(victim, 'POST', '/work/plan', VICTIM)
    await change(eve, 'DELETE', '/work/plan')
    const [item] = await (await eve.call('GET', API.trash)).json()
    const restored = await eve.call('POST', API.trash, { ids: [item.id] })
    expect([item.path, restored.status]).toEqual(['/work/plan', 200])
    await change(eve, 'DELETE', '/work/plan')
    await pushJunk()
    const kept: { id: number; path: string }[] = await (
      await app.admin.call('GET', API.trash)
    ).json()
    const ids = kept.filter(({ path }) => path === '/work/plan').map(({ id }) => id)
    expect((await app.admin.call('POST', API.trash, { ids })).status).toBe(200)
    await expectRestored()
  })

  test('is not emptied of what others brought in by files that fill the disk', async () => {
    await change(victim, 'POST', '/work/plan', VICTIM)
    await change(eve, 'DELETE', '/work/plan')
    let last = ''
    for (let turn = 0; turn < DISK_MIB / 4 && !last.startsWith('507'); turn += 1) {
      last = await ask(eve, 'POST', `/fill${turn}`, new Uint8Array(6 * MIB))
    }
    expect(last).toBe('507 noSpace')
    await undoAllOfEve()
    await expectRestored()
  })

  test('still gives a user the room of what this user brought in and deleted today', async () => {
    await change(eve, 'POST', '/own', new Uint8Array(40 * MIB))
    await change(eve, 'DELETE', '/own')
    ageTrash(app.database)
    await change(eve, 'POST', '/next', new Uint8Array(40 * MIB))
  })
})
