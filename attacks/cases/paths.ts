/** Path traversal, and alternative spellings of paths. */
import { API } from '#wire/api/routes.ts'
import { assert, hides, refused, refusedOrPage, untouched, works } from '../assertions.ts'
import type { AttackCase } from '../case.ts'
import type { Fixture } from '../fixture.ts'

const DECODED_ONCE = 'a path is decoded once, and then `..` never leads above the root of the scope'
const INSIDE = 'a path is cleaned once, and begins at the root of the user’s scope'

export const pathCases: AttackCase[] = [
  {
    id: 'G-01',
    attack: 'path traversal with ..',
    reason: DECODED_ONCE,
    async run(fixture) {
      for (const target of ['/api/raw/../bob/secret.txt', '/api/raw/../../bob/secret.txt']) {
        const response = await fixture.raw('alice', 'GET', target)
        refusedOrPage(response, target, 404)
        hides(fixture, response, target, 'bob/secret.txt')
      }
      await ownFileStillReadable(fixture)
    },
  },
  {
    id: 'G-02',
    attack: 'path traversal with an encoded slash',
    reason: INSIDE,
    async run(fixture) {
      for (const target of [
        '/api/raw/..%2fbob%2fsecret.txt',
        '/api/resources/sub%2f..%2f..%2fbob%2fsecret.txt',
      ]) {
        const response = await fixture.raw('alice', 'GET', target)
        refused(response, target, 404)
        hides(fixture, response, target, 'bob/secret.txt')
      }
      await ownFileStillReadable(fixture)
    },
  },
  {
    id: 'G-03',
    attack: 'path traversal with encoded dots',
    reason: DECODED_ONCE,
    async run(fixture) {
      for (const target of ['/api/resources/%2e%2e/bob/', '/api/raw/%2E%2E/bob/secret.txt']) {
        const response = await fixture.raw('alice', 'GET', target)
        refused(response, target, 404)
        hides(fixture, response, target, 'bob/secret.txt')
      }
      await ownFileStillReadable(fixture)
    },
  },
  {
    id: 'G-04',
    attack: 'absolute paths and repeated slashes',
    reason: 'empty segments are dropped, and a path begins at the root of the user’s scope',
    async run(fixture) {
      for (const target of ['/api/raw//etc/passwd', '/api/raw/%2Fetc%2Fpasswd']) {
        const response = await fixture.raw('alice', 'GET', target)
        refused(response, target, 404)
        assert(!response.text.includes('root:'), `${target} returned a system file`)
      }
      works(await fixture.raw('alice', 'GET', '/api/raw//own.txt'), 'a doubled slash')
    },
  },
  {
    id: 'G-05',
    attack: 'a NUL character in a name',
    reason: 'a path with a NUL is refused',
    async run(fixture) {
      const before = fixture.names('alice')
      refused(await fixture.raw('alice', 'GET', '/api/raw/own.txt%00.png'), 'reading', 400)
      refused(await fixture.raw('alice', 'PUT', '/api/resources/x%00.txt', 'x'), 'writing', 400)
      assert(String(fixture.names('alice')) === String(before), 'a file was created')
      await ownFileStillReadable(fixture)
    },
  },
  {
    id: 'G-06',
    attack: 'path traversal with backslashes',
    reason: 'on Linux a backslash is an ordinary character',
    async run(fixture) {
      const response = await fixture.raw('alice', 'GET', '/api/raw/..%5cbob%5csecret.txt')
      refused(response, 'backslashes', 404)
      hides(fixture, response, 'backslashes', 'bob/secret.txt')
      works(
        await fixture.raw('alice', 'POST', `${API.resources}/a%5Cb.txt`, 'x'),
        'writing a\\b.txt',
      )
      const read = works(
        await fixture.raw('alice', 'GET', '/api/raw/a%5Cb.txt'),
        'reading a\\b.txt',
      )
      assert(read.text === 'x' && fixture.exists('alice', 'a\\b.txt'), 'a\\b.txt is another file')
    },
  },
  {
    id: 'G-07',
    attack: 'a destination outside the scope, or one that is denied',
    reason: 'source and destination are cleaned before they are checked',
    async run(fixture) {
      for (const action of ['copy', 'rename']) {
        const query = `?action=${action}&destination=%2F..%2Fbob%2Fplanted.txt&override=false&rename=false`
        works(await fixture.call('alice', 'PATCH', `/api/resources/own.txt${query}`), action)
        assert(!fixture.exists('bob', 'planted.txt'), `${action} created a file in bob’s folder`)
        assert(fixture.exists('alice/bob/planted.txt'), `${action} did not stay in the scope`)
        const denied = `?action=${action}&destination=%2Fdocs%2F..%2Fprivate%2Fplanted.txt`
        refused(
          await fixture.call('ruled', 'PATCH', `/api/resources/docs/open.txt${denied}`),
          action,
          403,
        )
        assert(!fixture.exists('ruled', 'private', 'planted.txt'), `${action} ignored a rule`)
        untouched(fixture, action, 'ruled/docs/open.txt')
        fixture.reset()
      }
      const copy = '/api/resources/own.txt?action=copy&destination=%2Fcopy.txt'
      works(await fixture.call('alice', 'PATCH', copy), 'a copy')
    },
  },
  {
    id: 'G-08',
    attack: 'writing outside the scope',
    reason: INSIDE,
    async run(fixture) {
      const before = fixture.names('bob')
      for (const [method, target, status] of [
        // The cleaned path stays inside alice's scope, where she may create a file.
        ['POST', '/api/resources/..%2fbob%2fplanted.txt', 200],
        ['POST', '/api/resources/..%2fbob%2fplanted/', 200],
        ['PUT', '/api/resources/..%2fbob%2fsecret.txt', 404],
      ] as const) {
        works(await fixture.raw('alice', method, target, 'x'), `${method} ${target}`, status)
      }
      assert(fixture.exists('alice/bob/planted.txt'), 'the file is not in the scope')
      assert(String(fixture.names('bob')) === String(before), 'a file was created in bob’s folder')
      untouched(fixture, 'writing outside the scope', 'bob/secret.txt')
      works(await fixture.raw('alice', 'POST', '/api/resources/new.txt', 'x'), 'writing inside')
    },
  },
  {
    id: 'G-09',
    attack: 'archive members with .. in their names',
    reason:
      'selected names are paths below the folder, and the names of members are relative to it',
    async run(fixture) {
      for (const target of [
        '/api/raw/?files=../bob/secret.txt&algo=zip',
        '/api/raw/pub/?files=..%2Fown.txt,..%2F..%2Fbob%2Fsecret.txt&algo=tar',
      ]) {
        const response = await fixture.raw('alice', 'GET', target)
        refused(response, target, 404)
        hides(fixture, response, target, 'bob/secret.txt')
      }
      const both = await fixture.raw('alice', 'GET', '/api/raw/?files=own.txt,pub&algo=tar')
      works(both, 'an archive')
      for (const file of ['alice/own.txt', 'alice/pub/in.txt']) {
        assert(both.text.includes(fixture.mark(file)), `the archive lacks ${file}`)
      }
    },
  },
  {
    id: 'G-10',
    attack: 'path traversal in every other route',
    reason: 'one function turns a URL into a path, and every route uses it',
    async run(fixture) {
      // The path ends at the user's root, where there is no such file.
      for (const [target, status] of [
        ['/api/subtitle/..%2fbob%2fsecret.vtt', 404],
        ['/api/preview/big/..%2fbob%2fpic.png', 404],
        ['/api/usage/..%2f..%2f', 200],
        ['/api/events/..%2fbob/', 404],
        ['/api/search/..%2fbob/?query=secret', 200],
      ] as const) {
        const response = await fixture.raw('alice', 'GET', target)
        assert(response.status === status, `${target} was answered with ${response.status}`)
        hides(fixture, response, target, 'bob/secret.vtt', 'bob/secret.txt')
        assert(!response.text.includes('secret.txt'), `${target} shows a name in bob’s folder`)
      }
      const tus = await fixture.raw('alice', 'POST', '/api/tus/..%2fbob%2fx.bin', '', {
        'Upload-Length': '1',
        'Tus-Resumable': '1.0.0',
      })
      works(tus, 'an upload to the user’s scope', 201)
      refused(
        await fixture.raw('alice', 'POST', '/api/share/..%2fbob%2fsecret.txt', '{}'),
        'a link',
        404,
      )
      assert(!fixture.exists('bob', 'x.bin'), 'the upload created a file in bob’s folder')
      const found = works(await fixture.call('alice', 'GET', '/api/search/?query=own'), 'a search')
      assert(found.text.includes('own.txt'), 'a search finds nothing')
      works(await fixture.call('bob', 'GET', '/api/subtitle/secret.vtt'), 'bob’s subtitles')
      works(await fixture.call('bob', 'POST', '/api/share/secret.txt', {}), 'bob’s link')
    },
  },
  {
    id: 'G-11',
    attack: 'removing or moving the root folder',
    reason: 'the root of a scope cannot be changed',
    async run(fixture) {
      refused(await fixture.call('alice', 'DELETE', '/api/resources/'), 'removing', 403)
      const move = '/api/resources/?action=rename&destination=%2Fx'
      refused(await fixture.call('alice', 'PATCH', move), 'moving', 403)
      untouched(fixture, 'the attempt', 'alice/own.txt')
      works(
        await fixture.call('alice', 'DELETE', '/api/resources/junk.txt'),
        'removing a file',
        204,
      )
    },
  },
  {
    id: 'G-12',
    attack: 'path traversal from the static files',
    reason: 'static files are looked up in a table, not on a disk',
    async run(fixture) {
      for (const target of [
        '/static/..%2f..%2fpackage.json',
        '/static/../../etc/passwd',
        '//static/../package.json',
        '/static/img/..%2f..%2f..%2fetc%2fpasswd',
      ]) {
        const response = await fixture.raw('', 'GET', target)
        refusedOrPage(response, target, 404)
        assert(!/root:|"dependencies"/.test(response.text), `${target} returned a system file`)
      }
      const page = works(await fixture.raw('', 'GET', '/login'), 'the page')
      const file = /\/static\/[\w./-]+/.exec(page.text)?.[0] ?? ''
      works(await fixture.raw('', 'GET', file), 'a static file')
    },
  },
  {
    id: 'G-13',
    attack: 'a protected route with another spelling of its URL',
    reason: 'routes are matched by the same cleaned path that handlers read; any other path is 404',
    async run(fixture) {
      for (const [target, status] of [
        ['/api//users', 401],
        ['/api/public/../users', 401],
        ['/%61pi/users', 404],
        ['/API/users', 404],
      ] as const) {
        const response = await fixture.raw('', 'GET', target)
        refusedOrPage(response, target, status)
        assert(!response.text.includes('"username"'), `${target} lists users`)
      }
      works(await fixture.raw('admin', 'GET', '/api/users'), 'an administrator')
    },
  },
  {
    id: 'G-14',
    attack: 'broken percent encoding',
    reason: 'a path that does not decode is refused',
    async run(fixture) {
      for (const target of ['/api/raw/%', '/api/resources/%zz', '/api/raw/%c0%ae%c0%ae/x']) {
        refused(await fixture.raw('alice', 'GET', target), target, 400)
      }
      await ownFileStillReadable(fixture)
    },
  },
  {
    id: 'G-15',
    attack: 'copying or moving a folder into itself',
    reason: 'a destination inside the source is refused before anything is changed',
    async run(fixture) {
      for (const action of ['copy', 'rename']) {
        const target = `/api/resources/pub?action=${action}&destination=%2Fpub%2Fx%2Fy`
        refused(await fixture.call('alice', 'PATCH', target), action, 400)
        assert(String(fixture.names('alice', 'pub')) === 'in.txt', `${action} changed the folder`)
      }
      const copyRequest = '/api/resources/pub?action=copy&destination=%2Fpub2%2Fy'
      works(await fixture.call('alice', 'PATCH', copyRequest), 'a copy aside')
    },
  },
]

async function ownFileStillReadable(fixture: Fixture): Promise<void> {
  const own = works(await fixture.raw('alice', 'GET', '/api/raw/own.txt'), 'alice’s own file')
  assert(own.text === fixture.mark('alice/own.txt'), 'alice’s own file has other content')
}
