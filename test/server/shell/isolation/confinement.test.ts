import { describe, expect, test } from 'bun:test'
import {
  type ConfinementOptions,
  confinementOf,
  type Machine,
} from '#server/shell/isolation/confinement.ts'
import type { Isolation } from '#server/shell/isolation/policy.ts'

const options: ConfinementOptions = {
  isEnabled: true,
  isUnconfined: false,
  root: '/srv/files',
  secretFiles: ['/var/lib/filemgr/filemgr.db'],
}

/** A machine on which these kinds of isolation work. */
function machine(working: Isolation[], changes: Partial<Machine> = {}): Machine {
  return {
    platform: 'linux',
    landlock: () => 7,
    tryOut: async (isolation) => (working.includes(isolation) ? undefined : 'mount: EPERM'),
    ...changes,
  }
}

describe('commands', () => {
  test('commands run with the strongest isolation that the machine has', async () => {
    expect(await confinementOf(options, machine(['root', 'landlock', 'none']))).toEqual({
      isolation: 'root',
    })
    expect(await confinementOf(options, machine(['landlock', 'none']))).toEqual({
      isolation: 'landlock',
    })
  })

  test.each<[string, Partial<ConfinementOptions>, Machine, RegExp]>([
    [
      'the operator has not enabled them',
      { isEnabled: false },
      machine(['root', 'none']),
      /switched off/,
    ],
    ['the system has no Landlock', {}, machine(['root'], { landlock: () => 0 }), /no Landlock/],
    ['its Landlock is too old', {}, machine(['root'], { landlock: () => 2 }), /Linux 6\.2/],
    ['no isolation works', {}, machine(['none']), /mount: EPERM/],
    ['the system is not Linux', {}, machine(['root'], { platform: 'darwin' }), /need Linux/],
    ['the served folder is inside /usr', { root: '/usr/share/files' }, machine(['root']), /\/usr/],
    ['the served folder contains /usr', { root: '/' }, machine(['root']), /contains/],
    ['the database is inside /usr', { secretFiles: ['/usr/f.db'] }, machine(['root']), /may read/],
  ])('commands stay off with a reason where %s', async (_, changes, system, reason) => {
    const { isolation, off } = await confinementOf({ ...options, ...changes }, system)
    expect(isolation).toBeUndefined()
    expect(off).toMatch(reason)
  })

  test('commands run without isolation only if the operator allows it', async () => {
    const bare = machine(['none'], { landlock: () => 0 })
    expect((await confinementOf(options, bare)).isolation).toBeUndefined()
    expect((await confinementOf({ ...options, isUnconfined: true }, bare)).isolation).toBe('none')
    const both = { ...options, isEnabled: false, isUnconfined: true }
    expect((await confinementOf(both, bare)).isolation).toBeUndefined()
  })

  test('a folder beside /usr counts as outside of it', async () => {
    const beside = { ...options, root: '/usr-local', secretFiles: ['/usrx/f.db'] }
    expect((await confinementOf(beside, machine(['root']))).isolation).toBe('root')
  })
})
