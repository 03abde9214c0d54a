import { describe, expect, test } from 'bun:test'
import { confinementOf, type Machine, type Wishes } from '#server/shell/confinement.ts'
import type { Walls } from '#server/shell/policy.ts'

const wishes: Wishes = {
  wanted: true,
  unconfined: false,
  root: '/srv/files',
  ownFiles: ['/var/lib/filemgr/filemgr.db'],
}

/** A machine on which these walls stand. */
function machine(standing: Walls[], how: Partial<Machine> = {}): Machine {
  return {
    platform: 'linux',
    landlock: () => 7,
    tryOut: async (walls) => (standing.includes(walls) ? undefined : 'mount: EPERM'),
    ...how,
  }
}

describe('commands', () => {
  test('run behind the strongest walls that stand', async () => {
    expect(await confinementOf(wishes, machine(['root', 'landlock', 'none']))).toEqual({
      walls: 'root',
    })
    expect(await confinementOf(wishes, machine(['landlock', 'none']))).toEqual({
      walls: 'landlock',
    })
  })

  test.each<[string, Partial<Wishes>, Machine, RegExp]>([
    ['nobody switched them on', { wanted: false }, machine(['root', 'none']), /switched off/],
    ['the system has no Landlock', {}, machine(['root'], { landlock: () => 0 }), /no Landlock/],
    ['its Landlock is too old', {}, machine(['root'], { landlock: () => 2 }), /Linux 6\.2/],
    ['no walls stand', {}, machine(['none']), /mount: EPERM/],
    ['it is no Linux', {}, machine(['root'], { platform: 'darwin' }), /need Linux/],
    ['the served folder lies in /usr', { root: '/usr/share/files' }, machine(['root']), /\/usr/],
    ['the served folder holds it', { root: '/' }, machine(['root']), /holds/],
    ['the database lies in /usr', { ownFiles: ['/usr/f.db'] }, machine(['root']), /may read/],
  ])('stay off with a reason where %s', async (_, wish, on, reason) => {
    const { walls, off } = await confinementOf({ ...wishes, ...wish }, on)
    expect(walls).toBeUndefined()
    expect(off).toMatch(reason)
  })

  test('run without walls at the operator’s word alone', async () => {
    const bare = machine(['none'], { landlock: () => 0 })
    expect((await confinementOf(wishes, bare)).walls).toBeUndefined()
    expect((await confinementOf({ ...wishes, unconfined: true }, bare)).walls).toBe('none')
    const both = { ...wishes, wanted: false, unconfined: true }
    expect((await confinementOf(both, bare)).walls).toBeUndefined()
  })

  test('a folder beside /usr is not in it', async () => {
    const beside = { ...wishes, root: '/usr-local', ownFiles: ['/usrx/f.db'] }
    expect((await confinementOf(beside, machine(['root']))).walls).toBe('root')
  })
})
