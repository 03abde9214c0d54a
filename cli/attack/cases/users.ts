/** F. People, sign-up and privileges. */
import type { Case } from '../case.ts'
import { must, refused, works } from '../claims.ts'
import { type Fields, PASSWORD, type World } from '../world.ts'

const NAMED = 'only fields that `which` names are read, from a list that says whose they are'

export const userCases: Case[] = [
  {
    id: 'G-56',
    attack: 'raising one’s own rights',
    because: NAMED,
    async run(world) {
      const { id } = await person(world, 'alice')
      const before = await person(world, 'alice')
      const data = {
        id,
        perm: { admin: true },
        scope: '/',
        rules: [],
        commands: ['sh'],
        lockPassword: true,
        username: 'root',
      }
      for (const which of [
        ['perm'],
        ['scope'],
        ['rules'],
        ['commands'],
        ['lockPassword'],
        ['username'],
        ['all'],
        [],
      ]) {
        const change = { what: 'user', which, current_password: PASSWORD, data }
        refused(await world.call('alice', 'PUT', `/api/users/${id}`, change), String(which), 403)
      }
      must(
        JSON.stringify(await person(world, 'alice')) === JSON.stringify(before),
        'something changed',
      )
      const own = {
        what: 'user',
        which: ['locale'],
        data: { id, locale: 'de', perm: { admin: true } },
      }
      works(await world.call('alice', 'PUT', `/api/users/${id}`, own), 'a preference')
      must(!(await person(world, 'alice')).perm.admin, 'a preference carried a right')
    },
  },
  {
    id: 'G-57',
    attack: 'field names in other letters',
    because: 'a name is folded once, to the one spelling that is asked about',
    async run(world) {
      const { id } = await person(world, 'alice')
      for (const [which, data] of [
        [['Password'], { id, password: 'another long password' }],
        [['PASSWORD'], { id, password: 'another long password' }],
        [['Perm'], { id, perm: { admin: true } }],
      ] as const) {
        const answer = await world.call('alice', 'PUT', `/api/users/${id}`, {
          what: 'user',
          which,
          data,
        })
        refused(answer, String(which), 'perm' in data ? 403 : 400)
      }
      works(await world.signIn('alice'), 'the old password')
    },
  },
  {
    id: 'G-58',
    attack: 'other people’s records',
    because: 'people read and change themselves; numbers in address and body must agree',
    async run(world) {
      const [alice, bob] = [await person(world, 'alice'), await person(world, 'bob')]
      const change = (id: number) => ({
        what: 'user',
        which: ['locale'],
        data: { id, locale: 'fr' },
      })
      refused(await world.call('bob', 'GET', `/api/users/${alice.id}`), 'reading', 403)
      refused(
        await world.call('bob', 'PUT', `/api/users/${alice.id}`, change(alice.id)),
        'changing',
        403,
      )
      refused(
        await world.call('bob', 'DELETE', `/api/users/${alice.id}`, { current_password: PASSWORD }),
        'removing',
        403,
      )
      refused(
        await world.call('bob', 'PUT', `/api/users/${bob.id}`, change(alice.id)),
        'another number',
        400,
      )
      const own = works(await world.call('bob', 'GET', `/api/users/${bob.id}`), 'oneself')
      must(!/argon2/.test(own.text) && own.text.includes('"password":""'), 'a hash is shown')
    },
  },
  {
    id: 'G-59',
    attack: 'the administrators’ calls',
    because: 'a route names the right it needs; the door asks before the handler runs',
    async run(world) {
      for (const who of ['alice', '']) {
        for (const [method, target] of [
          ['GET', '/api/users'],
          ['POST', '/api/users'],
          ['GET', '/api/settings'],
          ['PUT', '/api/settings'],
        ] as const) {
          const body = method === 'GET' ? undefined : {}
          refused(
            await world.call(who, method, target, body),
            `${method} ${target}`,
            who ? 403 : 401,
          )
        }
      }
      works(await world.call('admin', 'GET', '/api/settings'), 'an administrator')
    },
  },
  {
    id: 'G-60',
    attack: 'a locked password, and the last administrator',
    because: 'both are invariants of the people’s store, whoever asks',
    async run(world) {
      const made = works(
        await world.addUser('locked', { scope: '/alice', lockPassword: true }),
        'a user',
        201,
      )
      const id = Number(made.headers.get('location')?.split('/').at(-1))
      world.tokens.locked = (await world.signIn('locked')).text
      const change = {
        what: 'user',
        which: ['password'],
        current_password: PASSWORD,
        data: { id, password: 'yet another password' },
      }
      refused(await world.call('locked', 'PUT', `/api/users/${id}`, change), 'the password', 403)
      const admin = await person(world, 'admin')
      const body = { current_password: world.password }
      refused(await world.call('admin', 'DELETE', `/api/users/${admin.id}`, body), 'leaving', 403)
      const less = {
        what: 'user',
        which: ['perm'],
        ...body,
        data: { id: admin.id, perm: { admin: false } },
      }
      refused(
        await world.call('admin', 'PUT', `/api/users/${admin.id}`, less),
        'stepping down',
        403,
      )
      works(await world.call('admin', 'GET', '/api/users'), 'the administrator')
    },
  },
  {
    id: 'G-61',
    attack: 'signing up into the rights of an administrator',
    because: 'whoever comes by themselves administers and runs nothing, whatever the defaults say',
    async run(world) {
      refused(await signUp(world, 'early'), 'while it is off', 405)
      await open(world, { perm: { admin: true, execute: true, download: true }, commands: ['sh'] })
      works(await signUp(world, 'eve'), 'signing up')
      const eve = await person(world, 'eve')
      must(!eve.perm.admin && !eve.perm.execute && eve.commands.length === 0, 'eve has it all')
      await close(world)
    },
  },
  {
    id: 'G-62',
    attack: 'names that share a home',
    because: 'whose a home is is asked and stored in one step, letters folded',
    async run(world) {
      await open(world)
      works(await signUp(world, 'team/x'), 'the first')
      refused(await signUp(world, 'team-x'), 'a like name', 409)
      refused(await signUp(world, 'TEAM-X'), 'in capitals', 409)
      const both = await Promise.all([signUp(world, 'pair/y'), signUp(world, 'pair-y')])
      must(both.filter(({ status }) => status === 200).length === 1, 'two at once share a home')
      await close(world)
    },
  },
  {
    id: 'G-63',
    attack: 'a home by a hostile name',
    because: 'a home’s name is made of harmless letters, strictly below the homes’ folder',
    async run(world) {
      await open(world)
      for (const [name, status] of [
        ['../../x', 409],
        ['..', 400],
        ['.', 400],
        ['', 400],
        ['/', 400],
        ['....//x', 409],
      ] as const) {
        const answer = await signUp(world, name)
        if (answer.status === 200) {
          const { scope } = await person(world, name)
          must(/^\/users\/[^/]+$/.test(scope), `${name} lives in ${scope}`)
        } else refused(answer, name, status)
      }
      await close(world)
      works(await world.addUser('climber', { scope: '../..' }), 'a scope that climbs', 201)
      must((await person(world, 'climber')).scope === '/', 'a scope climbs')
    },
  },
  {
    id: 'G-64',
    attack: 'weak passwords',
    because: 'length and a list of common ones are asked at every door; hashes are argon2id',
    async run(world) {
      await open(world)
      for (const password of ['', 'a', 'short', 'passwordpassword', 'aaaaaaaaaaaaaaaa']) {
        refused(await signUp(world, 'weak', password), password, 400)
        refused(await world.addUser('weak', { password }), password, 400)
      }
      works(await signUp(world, 'strong', 'x'.repeat(20) + PASSWORD.repeat(4)), 'a long one')
      works(await world.signIn('strong', 'x'.repeat(20) + PASSWORD.repeat(4)), 'signing in with it')
      refused(
        await world.signIn('strong', 'x'.repeat(20) + PASSWORD.repeat(3)),
        'its beginning',
        403,
      )
      await close(world)
    },
  },
]

interface Person {
  id: number
  username: string
  scope: string
  commands: string[]
  perm: { admin: boolean; execute: boolean }
}

async function person(world: World, name: string): Promise<Person> {
  const all: Person[] = JSON.parse((await world.call('admin', 'GET', '/api/users')).text)
  const found = all.find(({ username }) => username === name)
  must(found !== undefined, `there is no ${name}`)
  return found
}

function signUp(world: World, username: string, password = PASSWORD) {
  return world.call('', 'POST', '/api/signup', { username, password })
}

/** Opens sign-up, each with a home of their own. */
async function open(world: World, defaults: Fields = {}): Promise<void> {
  works(await world.settings({ signup: true, createUserDir: true, defaults }), 'opening sign-up')
}

async function close(world: World): Promise<void> {
  works(await world.settings({ signup: false }), 'closing sign-up')
}
