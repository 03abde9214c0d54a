/** The trash, earlier versions, and the undo of changes. */

import { mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { assert, hides, refused, works } from '../assertions.ts'
import type { AttackCase } from '../case.ts'
import type { Fixture } from '../fixture.ts'
import { signUp, withSignUp } from '../sign-up.ts'

const ORIGINAL_PATH =
  'an item of the trash is shown only to users who may see its original path, and versions stay with their own file'

export const trashCases: AttackCase[] = [
  {
    id: 'G-200',
    attack: 'signing up with the name of a deleted account, to get the files of its folder',
    reason: 'a folder is free only if it is empty and the trash contains nothing of it',
    async run(fixture) {
      await withSignUp(fixture, {}, async () => {
        works(await signUp(fixture, 'leaver'), 'signing up')
        fixture.tokens.leaver = works(await fixture.signIn('leaver'), 'signing in').text
        works(await fixture.call('leaver', 'POST', '/api/resources/diary', 'secret'), 'a file')
        works(await fixture.call('leaver', 'DELETE', '/api/resources/diary'), 'deleting it', 204)
        const users = JSON.parse((await fixture.call('admin', 'GET', '/api/users')).text) as User[]
        const { id } = users.find(({ username }) => username === 'leaver') ?? { id: 0 }
        const confirmed = { current_password: fixture.password }
        works(await fixture.call('admin', 'DELETE', `/api/users/${id}`, confirmed), 'removing')
        refused(await signUp(fixture, 'leaver'), 'the same name', 409)
        works(await signUp(fixture, 'newcomer'), 'another name')
      })
    },
  },
  {
    id: 'G-201',
    attack: 'emptying the trash of all users by declaring an upload as large as the disk',
    reason: 'space is freed for received bytes, not for a declared length',
    async run(fixture) {
      works(await fixture.call('alice', 'DELETE', '/api/resources/own.txt'), 'deleting', 204)
      const usage = JSON.parse((await fixture.call('creator', 'GET', '/api/usage/')).text) as Usage
      const created = await fixture.call('creator', 'POST', '/api/tus/large', undefined, {
        'Upload-Length': String(usage.total - usage.used - 1),
      })
      assert([201, 507].includes(created.status), `the upload was answered with ${created.status}`)
      assert(
        await isInTrash(fixture, 'alice', '/own.txt'),
        'the deleted file is no longer in the trash',
      )
    },
  },
  {
    id: 'G-202',
    attack: 'giving a file the name of a deleted file, to get its earlier versions',
    reason: ORIGINAL_PATH,
    async run(fixture) {
      const file = '/api/resources/diary.txt'
      works(await fixture.call('alice', 'POST', file, fixture.mark('bob/secret.txt')), 'a file')
      works(await fixture.call('alice', 'PUT', file, 'second'), 'another content')
      const [version] = await versionsOf(fixture, 'alice', '/diary.txt')
      assert(version !== undefined, 'alice should see her version')
      const own = await fixture.call('alice', 'GET', `/api/versions/diary.txt?id=${version}`)
      assert(works(own, 'her version').text === fixture.mark('bob/secret.txt'), 'it differs')
      works(await fixture.call('alice', 'DELETE', file), 'deleting', 204)
      works(await fixture.call('creator', 'POST', file, 'mine'), 'the same name')
      assert(
        (await versionsOf(fixture, 'creator', '/diary.txt')).length === 0,
        'the new file has versions',
      )
      const response = await fixture.call('creator', 'GET', `/api/versions/diary.txt?id=${version}`)
      refused(response, 'the version', 404)
      hides(fixture, response, 'the version', 'bob/secret.txt')
    },
  },
  {
    id: 'G-203',
    attack: 'an earlier version of a file that was moved out of a denied folder',
    reason: ORIGINAL_PATH,
    async run(fixture) {
      const mark = fixture.mark('ruled/private/secret.txt')
      const file = '/api/resources/ruled/private/pay.txt'
      works(await fixture.call('admin', 'POST', file, mark), 'a file')
      works(await fixture.call('admin', 'PUT', file, 'public'), 'another content')
      const to = encodeURIComponent('/ruled/free/pay.txt')
      const moved = await fixture.call('admin', 'PATCH', `${file}?action=rename&destination=${to}`)
      works(moved, 'moving it out')
      const [version] = await versionsOf(fixture, 'admin', '/ruled/free/pay.txt')
      assert(version !== undefined, 'the administrator should see the version')
      const address = `/api/versions/ruled/free/pay.txt?id=${version}`
      works(await fixture.call('admin', 'GET', address), 'the version for the administrator')
      assert((await versionsOf(fixture, 'ruled', '/free/pay.txt')).length === 0, 'it is listed')
      const response = await fixture.call(
        'ruled',
        'GET',
        `/api/versions/free/pay.txt?id=${version}`,
      )
      refused(response, 'the version', 404)
      hides(fixture, response, 'the version', 'ruled/private/secret.txt')
    },
  },
  {
    id: 'G-204',
    attack:
      'failed sign-ins with a name that is also a key of the server, to lock an administrator out',
    reason: 'names from clients are counted separately from all other keys',
    async run(fixture) {
      const statuses: number[] = []
      for (let turn = 0; turn < 12; turn += 1) {
        statuses.push((await fixture.signIn('own 1', 'wrong')).status)
      }
      assert(statuses[0] === 403 && statuses.at(-1) === 429, `the sign-ins: ${statuses}`)
      const added = await fixture.addUser('after-own-1', { scope: '/alice' })
      works(added, 'a request that needs the password of the administrator', 201)
    },
  },
  {
    id: 'G-207',
    attack:
      'replacing a folder by a symbolic link, so that an undo or a restore puts files into another user’s folder',
    reason: 'undo and trash follow no link in a recorded path, not even for administrators',
    async run(fixture) {
      mkdirSync(fixture.disk('alice/box'))
      for (const name of ['undone', 'restored'])
        writeFileSync(fixture.disk('alice/box', name), name)
      const removed = await fixture.call('alice', 'DELETE', '/api/resources/box/undone')
      const id = Number(works(removed, 'deleting', 204).headers.get('x-journal-id'))
      works(await fixture.call('alice', 'DELETE', '/api/resources/box/restored'), 'deleting', 204)
      const [item] = JSON.parse((await fixture.call('alice', 'GET', '/api/trash')).text) as Item[]
      const before = fixture.names('bob')
      const undo = (who: string) => fixture.call(who, 'POST', '/api/journal/undo', { id })
      const restore = async (who: string) => {
        const response = await fixture.call(who, 'POST', '/api/trash', { ids: [item?.id] })
        const [restored] = JSON.parse(works(response, 'the answer').text) as { fault: string }[]
        return restored?.fault
      }
      renameSync(fixture.disk('alice/box'), fixture.disk('alice/aside'))
      symlinkSync('../bob', fixture.disk('alice/box'))
      for (const who of ['alice', 'admin']) {
        refused(await undo(who), `an undo by ${who}`, 403)
        assert((await restore(who)) === 'outside', `a restore by ${who} followed the link`)
        assert(`${fixture.names('bob')}` === `${before}`, `${who} changed the folder of bob`)
      }
      rmSync(fixture.disk('alice/box'))
      renameSync(fixture.disk('alice/aside'), fixture.disk('alice/box'))
      works(await undo('admin'), 'an undo when the folder is back')
      assert((await restore('admin')) === '', 'a restore when the folder is back')
      assert(`${fixture.names('alice/box')}` === 'restored,undone', 'files are missing')
    },
  },
  {
    id: 'G-219',
    attack:
      'deleting the files of another user, and pushing them out of the trash by files that are uploaded and deleted',
    reason:
      'of the items of one user, those that the user brought in leave the trash before those that others brought in',
    async run(fixture) {
      works(await fixture.call('alice', 'POST', '/api/resources/plan', 'the plan'), 'a file')
      const perm = { create: true, delete: true, rename: true, modify: true, download: true }
      works(await fixture.addUser('hijacked', { scope: '/', perm }), 'a user', 201)
      fixture.tokens.hijacked = works(await fixture.signIn('hijacked'), 'signing in').text
      const attack = (method: string, path: string, body?: string) =>
        fixture.call('hijacked', method, `/api/resources${path}`, body)
      works(await attack('DELETE', '/alice/plan'), 'the deletion', 204)
      for (let turn = 0; turn < 20; turn += 1) {
        works(await attack('POST', `/alice/junk${turn}`, 'x'.repeat(64 * 1024)), 'an upload')
        works(await attack('DELETE', `/alice/junk${turn}`), 'its deletion', 204)
      }
      const since = new Date(0).toISOString()
      const all = { username: 'hijacked', since }
      works(await fixture.call('admin', 'POST', '/api/journal/undo-all', all), 'undoing everything')
      assert(fixture.read('alice/plan') === 'the plan', 'the file of the other user is lost')
    },
  },
]

interface Item {
  id: number
}

interface User {
  id: number
  username: string
}

interface Usage {
  total: number
  used: number
}

/** Whether the trash contains an item with this original path. */
async function isInTrash(fixture: Fixture, who: string, path: string): Promise<boolean> {
  const items = JSON.parse((await fixture.call(who, 'GET', '/api/trash')).text) as {
    path: string
  }[]
  return items.some((item) => item.path === path)
}

/** The ids of the versions of a file that a user can see. */
async function versionsOf(fixture: Fixture, who: string, path: string): Promise<number[]> {
  const response = works(await fixture.call(who, 'GET', `/api/versions${path}`), 'the versions')
  return (JSON.parse(response.text) as { id: number }[]).map(({ id }) => id)
}
