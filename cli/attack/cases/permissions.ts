/** D. What each permission allows, and nothing more. */
import type { Case } from '../case.ts'
import { hides, must, refused, untouched, works } from '../claims.ts'

const TUS = { 'Tus-Resumable': '1.0.0' }
const DOWNLOAD = 'every way to a file’s bytes asks for the right to download'
const CURRENT = 'rights are read from the database for each request, never from the token'

export const permissionCases: Case[] = [
  {
    id: 'G-34',
    attack: 'reading a text through the call that lists it',
    because: DOWNLOAD,
    async run(world) {
      for (const headers of [{}, { 'X-Encoding': 'true' }]) {
        const answer = await world.call('nodl', 'GET', '/api/resources/own.txt', undefined, headers)
        hides(world, answer, 'the call', 'alice/own.txt')
        must(!answer.text.includes('"content"'), 'the call carries content')
      }
      const own = works(await world.call('alice', 'GET', '/api/resources/own.txt'), 'alice')
      must(own.text.includes(world.mark('alice/own.txt')), 'alice does not get her text')
    },
  },
  {
    id: 'G-35',
    attack: 'a checksum in place of the bytes',
    because: DOWNLOAD,
    async run(world) {
      const target = '/api/resources/own.txt?checksum=sha256'
      const answer = await world.call('nodl', 'GET', target)
      refused(answer, 'the checksum', 403)
      hides(world, answer, 'the checksum', 'alice/own.txt')
      must(
        /"sha256":"[0-9a-f]{64}"/.test(
          works(await world.call('alice', 'GET', target), 'alice').text,
        ),
        'no digest',
      )
    },
  },
  {
    id: 'G-36',
    attack: 'downloading by another call',
    because: DOWNLOAD,
    async run(world) {
      for (const target of [
        '/api/raw/own.txt',
        '/api/raw/?files=own.txt',
        '/api/raw/?algo=tar',
        '/api/preview/big/pic.png',
        '/api/subtitle/own.vtt',
      ]) {
        const answer = await world.call('nodl', 'GET', target)
        refused(answer, target, 403)
        hides(world, answer, target, 'alice/own.txt')
      }
      works(await world.call('ro', 'GET', '/api/raw/own.txt'), 'who may download')
    },
  },
  {
    id: 'G-37',
    attack: 'sharing without the right to download',
    because: 'sharing asks for both rights, and nobody can be given the one alone',
    async run(world) {
      const perm = { share: true, download: false, create: true }
      refused(await world.addUser('sharer', { scope: '/alice', perm }), 'making such a user', 400)
      refused(await world.call('nodl', 'POST', '/api/share/own.txt', {}), 'sharing', 403)
      works(await world.call('alice', 'POST', '/api/share/own.txt', {}), 'alice')
    },
  },
  {
    id: 'G-38',
    attack: 'replacing a file with the right to create alone',
    because: 'replacing asks for the right to modify, whatever the verb',
    async run(world) {
      refused(
        await world.call('creator', 'POST', '/api/resources/own.txt?override=true', 'x'),
        'POST',
        403,
      )
      const headers = { ...TUS, 'Upload-Length': '1' }
      refused(
        await world.call('creator', 'POST', '/api/tus/own.txt?override=true', undefined, headers),
        'tus',
        403,
      )
      const copy = '/api/resources/pub/in.txt?action=copy&destination=%2Fown.txt&override=true'
      refused(await world.call('creator', 'PATCH', copy), 'a copy', 403)
      untouched(world, 'the attempt', 'alice/own.txt')
      works(await world.call('creator', 'POST', '/api/resources/new.txt', 'x'), 'a new file')
    },
  },
  {
    id: 'G-39',
    attack: 'deleting files by ending uploads',
    because: 'an upload is ended by its maker, and has nothing at its destination',
    async run(world) {
      refused(
        await world.call('creator', 'DELETE', '/api/tus/own.txt', undefined, TUS),
        'ending',
        404,
      )
      const headers = { ...TUS, 'Upload-Length': '3' }
      works(
        await world.call('alice', 'POST', '/api/tus/own.txt?override=true', undefined, headers),
        'an upload',
        201,
      )
      refused(
        await world.call('creator', 'DELETE', '/api/tus/own.txt', undefined, TUS),
        'another’s',
        404,
      )
      works(await world.call('alice', 'DELETE', '/api/tus/own.txt', undefined, TUS), 'the own', 204)
      untouched(world, 'the attempt', 'alice/own.txt')
    },
  },
  {
    id: 'G-40',
    attack: 'each verb without its permission',
    because: 'every verb of a scope asks for its permission first',
    async run(world) {
      const to = (action: string) => `/api/resources/own.txt?action=${action}&destination=%2Fz`
      const headers = { ...TUS, 'Upload-Length': '1' }
      const before = String(world.names('alice'))
      const tries = [
        world.call('ro', 'PUT', '/api/resources/own.txt', 'x'),
        world.call('ro', 'POST', '/api/resources/new.txt', 'x'),
        world.call('ro', 'DELETE', '/api/resources/own.txt'),
        world.call('ro', 'PATCH', to('rename')),
        world.call('ro', 'PATCH', to('copy')),
        world.call('ro', 'POST', '/api/resources/d2/'),
        world.call('ro', 'POST', '/api/tus/n', undefined, headers),
        world.call('ro', 'POST', '/api/share/own.txt', {}),
        world.call('ro', 'GET', '/api/shares'),
      ]
      for (const answer of await Promise.all(tries)) refused(answer, 'a verb', 403)
      must(String(world.names('alice')) === before, 'something changed')
      untouched(world, 'the attempt', 'alice/own.txt')
      works(await world.call('ro', 'GET', '/api/raw/own.txt'), 'what is allowed')
    },
  },
  {
    id: 'G-41',
    attack: 'a token from before a right was taken away',
    because: CURRENT,
    async run(world) {
      const { id, token } = await newcomer(world, 'stale')
      const change = { what: 'user', which: ['perm'], current_password: world.password }
      const perm = { create: true, download: true, delete: false }
      works(
        await world.call('admin', 'PUT', `/api/users/${id}`, { ...change, data: { id, perm } }),
        'taking it',
      )
      world.tokens.stale = token
      refused(await world.call('stale', 'DELETE', '/api/resources/own.txt'), 'the old token', 401)
      untouched(world, 'the attempt', 'alice/own.txt')
      world.tokens.stale = (await world.signIn('stale')).text
      works(await world.call('stale', 'GET', '/api/raw/own.txt'), 'what is left')
    },
  },
  {
    id: 'G-42',
    attack: 'the token of somebody who was removed',
    because: 'with the person go their sessions and links',
    async run(world) {
      const { id, token } = await newcomer(world, 'gone')
      world.tokens.gone = token
      const shared = works(await world.call('gone', 'POST', '/api/share/own.txt', {}), 'a link')
      const { hash } = JSON.parse(shared.text)
      works(await world.call('', 'GET', `/api/public/dl/${hash}`), 'the link')
      const body = { current_password: world.password }
      works(await world.call('admin', 'DELETE', `/api/users/${id}`, body), 'removing')
      refused(await world.call('gone', 'GET', '/api/resources/'), 'the token', 401)
      refused(await world.call('gone', 'POST', '/api/renew'), 'renewing', 401)
      refused(await world.call('', 'GET', `/api/public/dl/${hash}`), 'the link', 404)
    },
  },
]

/** Somebody with all of alice's rights, for a case that changes them. */
async function newcomer(world: Parameters<Case['run']>[0], name: string) {
  const perm = {
    create: true,
    rename: true,
    modify: true,
    delete: true,
    share: true,
    download: true,
  }
  const made = works(await world.addUser(name, { scope: '/alice', perm }), 'a user', 201)
  const id = Number(made.headers.get('location')?.split('/').at(-1))
  return { id, token: works(await world.signIn(name), 'signing in').text }
}
