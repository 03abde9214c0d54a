/** Each permission allows exactly its own actions. */

import { writeFileSync } from 'node:fs'
import { assert, hides, refused, untouched, works } from '../assertions.ts'
import type { AttackCase } from '../case.ts'
import { pictureOfSize } from '../picture.ts'
import type { RequestHeaders } from '../raw-request.ts'

const TUS = { 'Tus-Resumable': '1.0.0' }
const DOWNLOAD = 'every route to the content of a file requires the right to download'
const CURRENT =
  'a change of rights ends the sessions, and rights are read from the database, never from a token'

export const permissionCases: AttackCase[] = [
  {
    id: 'G-34',
    attack: 'reading a text file through the route for listings',
    reason: DOWNLOAD,
    async run(fixture) {
      const read = (who: string, headers: RequestHeaders = {}) =>
        fixture.call(who, 'GET', '/api/resources/own.txt', undefined, headers)
      const encoded = { 'X-Encoding': 'true' }
      const entry = works(await read('nodl'), 'the entry')
      assert(entry.text.includes('"name":"own.txt"'), 'the response does not describe the file')
      const bytes = await read('nodl', encoded)
      refused(bytes, 'the bytes', 403)
      for (const response of [entry, bytes]) {
        hides(fixture, response, 'the response', 'alice/own.txt')
        assert(!response.text.includes('"content"'), 'the response contains the content')
      }
      for (const headers of [{}, encoded]) {
        const own = works(await read('alice', headers), 'alice')
        assert(own.text.includes(fixture.mark('alice/own.txt')), 'alice does not get her text')
      }
    },
  },
  {
    id: 'G-35',
    attack: 'a checksum instead of the content',
    reason: DOWNLOAD,
    async run(fixture) {
      const target = '/api/resources/own.txt?checksum=sha256'
      const response = await fixture.call('nodl', 'GET', target)
      refused(response, 'the checksum', 403)
      hides(fixture, response, 'the checksum', 'alice/own.txt')
      assert(
        /"sha256":"[0-9a-f]{64}"/.test(
          works(await fixture.call('alice', 'GET', target), 'alice').text,
        ),
        'no digest',
      )
    },
  },
  {
    id: 'G-36',
    attack: 'downloading by another route',
    reason: DOWNLOAD,
    async run(fixture) {
      writeFileSync(fixture.disk('alice/pic.png'), pictureOfSize(8, 8))
      writeFileSync(fixture.disk('alice/own.vtt'), 'WEBVTT')
      for (const target of [
        '/api/raw/own.txt',
        '/api/raw/?files=own.txt',
        '/api/raw/?algo=tar',
        '/api/preview/big/pic.png',
        '/api/subtitle/own.vtt',
      ]) {
        const response = await fixture.call('nodl', 'GET', target)
        refused(response, target, 403)
        hides(fixture, response, target, 'alice/own.txt')
        works(await fixture.call('ro', 'GET', target), `${target} of a user who may download`)
      }
    },
  },
  {
    id: 'G-37',
    attack: 'sharing without the right to download',
    reason: 'sharing requires both rights, and no user can have only the right to share',
    async run(fixture) {
      const perm = { share: true, download: false, create: true }
      refused(await fixture.addUser('sharer', { scope: '/alice', perm }), 'making such a user', 400)
      refused(await fixture.call('nodl', 'POST', '/api/share/own.txt', {}), 'sharing', 403)
      works(await fixture.call('alice', 'POST', '/api/share/own.txt', {}), 'alice')
    },
  },
  {
    id: 'G-38',
    attack: 'replacing a file with only the right to create',
    reason: 'a replacement requires the right to modify, whatever the operation is',
    async run(fixture) {
      refused(
        await fixture.call('creator', 'POST', '/api/resources/own.txt?override=true', 'x'),
        'POST',
        403,
      )
      const headers = { ...TUS, 'Upload-Length': '1' }
      refused(
        await fixture.call('creator', 'POST', '/api/tus/own.txt?override=true', undefined, headers),
        'tus',
        403,
      )
      const copy = '/api/resources/pub/in.txt?action=copy&destination=%2Fown.txt&override=true'
      refused(await fixture.call('creator', 'PATCH', copy), 'a copy', 403)
      untouched(fixture, 'the attempt', 'alice/own.txt')
      works(await fixture.call('creator', 'POST', '/api/resources/new.txt', 'x'), 'a new file')
    },
  },
  {
    id: 'G-39',
    attack: 'deleting files by cancelling uploads',
    reason: 'only the creator of an upload can cancel it, and its bytes are not at its destination',
    async run(fixture) {
      refused(
        await fixture.call('creator', 'DELETE', '/api/tus/own.txt', undefined, TUS),
        'ending',
        404,
      )
      const headers = { ...TUS, 'Upload-Length': '3' }
      works(
        await fixture.call('alice', 'POST', '/api/tus/own.txt?override=true', undefined, headers),
        'an upload',
        201,
      )
      refused(
        await fixture.call('creator', 'DELETE', '/api/tus/own.txt', undefined, TUS),
        'another’s',
        404,
      )
      works(
        await fixture.call('alice', 'DELETE', '/api/tus/own.txt', undefined, TUS),
        'the own',
        204,
      )
      untouched(fixture, 'the attempt', 'alice/own.txt')
    },
  },
  {
    id: 'G-40',
    attack: 'each operation without its permission',
    reason: 'every operation of a scope checks its permission first',
    async run(fixture) {
      const to = (action: string, name = 'z') =>
        `/api/resources/own.txt?action=${action}&destination=%2F${name}`
      const headers = { ...TUS, 'Upload-Length': '1' }
      const before = String(fixture.names('alice'))
      const attempts = [
        ['GET', '/api/shares', 200],
        ['POST', '/api/share/own.txt', 200, {}],
        ['POST', '/api/resources/new.txt', 200, 'x'],
        ['POST', '/api/resources/d2/', 200],
        ['POST', '/api/tus/n', 201, undefined, headers],
        ['PUT', '/api/resources/own.txt', 200, 'x'],
        ['PATCH', to('copy'), 200],
        ['PATCH', to('rename', 'y'), 200],
        ['DELETE', '/api/resources/y', 204],
      ] as const
      for (const [method, target, , ...sent] of attempts) {
        const response = await fixture.call('ro', method, target, ...sent)
        refused(response, `${method} ${target}`, 403)
      }
      assert(String(fixture.names('alice')) === before, 'something changed')
      untouched(fixture, 'the attempt', 'alice/own.txt')
      works(await fixture.call('ro', 'GET', '/api/raw/own.txt'), 'what is allowed')
      for (const [method, target, status, ...sent] of attempts) {
        const response = await fixture.call('alice', method, target, ...sent)
        works(response, `${method} ${target} of alice`, status)
      }
    },
  },
  {
    id: 'G-41',
    attack: 'a token from before a right was removed',
    reason: CURRENT,
    async run(fixture) {
      const { id, token } = await newUser(fixture, 'stale')
      const change = { what: 'user', which: ['perm'], current_password: fixture.password }
      const perm = { create: true, download: true, delete: false }
      works(
        await fixture.call('admin', 'PUT', `/api/users/${id}`, { ...change, data: { id, perm } }),
        'removing the right',
      )
      fixture.tokens.stale = token
      refused(await fixture.call('stale', 'DELETE', '/api/resources/own.txt'), 'the old token', 401)
      untouched(fixture, 'the attempt', 'alice/own.txt')
      fixture.tokens.stale = (await fixture.signIn('stale')).text
      refused(await fixture.call('stale', 'DELETE', '/api/resources/own.txt'), 'a new token', 403)
      works(await fixture.call('stale', 'GET', '/api/raw/own.txt'), 'a remaining right')
    },
  },
  {
    id: 'G-42',
    attack: 'the token of a removed user',
    reason: 'the sessions and shares of a user are removed with the user',
    async run(fixture) {
      const { id, token } = await newUser(fixture, 'gone')
      fixture.tokens.gone = token
      const shared = works(await fixture.call('gone', 'POST', '/api/share/own.txt', {}), 'a link')
      const { hash } = JSON.parse(shared.text)
      works(await fixture.call('', 'GET', `/api/public/dl/${hash}`), 'the link')
      const body = { current_password: fixture.password }
      works(await fixture.call('admin', 'DELETE', `/api/users/${id}`, body), 'removing')
      refused(await fixture.call('gone', 'GET', '/api/resources/'), 'the token', 401)
      refused(await fixture.call('gone', 'POST', '/api/renew'), 'renewing', 401)
      refused(await fixture.call('', 'GET', `/api/public/dl/${hash}`), 'the link', 404)
    },
  },
]

/** A user with alice's permissions, for a case that changes them. */
async function newUser(fixture: Parameters<AttackCase['run']>[0], name: string) {
  const perm = {
    create: true,
    rename: true,
    modify: true,
    delete: true,
    share: true,
    download: true,
  }
  const made = works(await fixture.addUser(name, { scope: '/alice', perm }), 'a user', 201)
  const id = Number(made.headers.get('location')?.split('/').at(-1))
  return { id, token: works(await fixture.signIn(name), 'signing in').text }
}
