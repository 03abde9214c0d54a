/** Symbolic links, and folders that are replaced by links. */
import {
  existsSync,
  mkdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { assert, hides, refused, works } from '../assertions.ts'
import type { AttackCase } from '../case.ts'
import type { Fixture } from '../fixture.ts'

const BENEATH = 'the kernel opens files beneath the user’s scope, and refuses a link that leaves it'
const TUS = { 'Tus-Resumable': '1.0.0' }

export const linkCases: AttackCase[] = [
  {
    id: 'G-16',
    attack: 'reading through a symbolic link to the outside',
    reason: BENEATH,
    async run(fixture) {
      for (const target of [
        '/api/raw/f',
        '/api/raw/d/secret.txt',
        '/api/resources/d/',
        '/api/resources/f?checksum=md5',
        '/api/raw/rel/secret.txt',
      ]) {
        const response = await fixture.call('alice', 'GET', target)
        refused(response, target, 403)
        hides(fixture, response, target, 'outside/secret.txt', 'bob/secret.txt')
      }
      works(await fixture.call('alice', 'GET', '/api/raw/own.txt'), 'the own file')
    },
  },
  {
    id: 'G-17',
    attack: 'writing through a symbolic link to the outside',
    reason: BENEATH,
    async run(fixture) {
      refused(
        await fixture.call('alice', 'POST', '/api/resources/f?override=true', 'x'),
        'POST',
        403,
      )
      refused(await fixture.call('alice', 'PUT', '/api/resources/d/secret.txt', 'x'), 'PUT', 403)
      const length = { ...TUS, 'Upload-Length': '20' }
      refused(
        await fixture.call('alice', 'POST', '/api/tus/d/injected.txt', undefined, length),
        'tus',
        403,
      )
      const patch = await fixture.call('alice', 'PATCH', '/api/tus/d/injected.txt', 'x', {
        ...TUS,
        'Upload-Offset': '0',
        'Content-Type': 'application/offset+octet-stream',
      })
      refused(patch, 'tus PATCH', 404)
      assertOutsideUnchanged(fixture)
      works(await fixture.call('alice', 'PUT', '/api/resources/own.txt', 'y'), 'the own file')
    },
  },
  {
    id: 'G-18',
    attack: 'writing through a symbolic link whose target does not exist',
    reason: 'the kernel resolves the target of a link, also if nothing exists there yet',
    async run(fixture) {
      refused(
        await fixture.call('alice', 'POST', '/api/resources/dang?override=true', 'x'),
        'POST',
        403,
      )
      assertOutsideUnchanged(fixture)
      works(await fixture.call('alice', 'POST', '/api/resources/fresh', 'x'), 'a new file')
    },
  },
  {
    id: 'G-19',
    attack: 'deleting through a symbolic link',
    reason: 'a removal acts on a name in an open folder, and follows no link',
    async run(fixture) {
      refused(await fixture.call('alice', 'DELETE', '/api/resources/d/secret.txt'), 'inside', 403)
      const link = await fixture.call('alice', 'DELETE', '/api/resources/d')
      works(link, 'the link itself', 204)
      assertOutsideUnchanged(fixture)
      works(await fixture.call('alice', 'DELETE', '/api/resources/junk.txt'), 'the own file', 204)
    },
  },
  {
    id: 'G-20',
    attack: 'a refused write whose clean-up deletes the file at the destination',
    reason: 'content is staged elsewhere, so nothing at the destination needs a clean-up',
    async run(fixture) {
      refused(
        await fixture.call('creator', 'POST', '/api/resources/d/secret.txt', 'x'),
        'POST',
        403,
      )
      refused(
        await fixture.call('creator', 'POST', '/api/resources/own.txt?override=true', 'x'),
        'override',
        403,
      )
      assertOutsideUnchanged(fixture)
      assert(
        fixture.read('alice/own.txt') === fixture.mark('alice/own.txt'),
        'the own file changed',
      )
      works(await fixture.call('creator', 'POST', '/api/resources/made.txt', 'x'), 'a new file')
    },
  },
  {
    id: 'G-21',
    attack: 'copying a folder that contains a symbolic link to the outside',
    reason:
      'a copy resolves every link beneath the user’s scope, and copies links that leave it as links',
    async run(fixture) {
      mkdirSync(fixture.disk('alice/box'))
      symlinkSync(fixture.outside, fixture.disk('alice/box/link'))
      writeFileSync(fixture.disk('alice/box/plain'), 'plain')
      const copy = '/api/resources/box?action=copy&destination=%2Fbox2'
      works(await fixture.call('alice', 'PATCH', copy), 'the copy')
      assert(fixture.read('alice/box2/plain') === 'plain', 'the copy lacks the plain file')
      assert(
        readlinkSync(fixture.disk('alice/box2/link')) === fixture.outside,
        'the link is not copied as a link',
      )
      const response = await fixture.call('alice', 'GET', '/api/raw/box2/link/secret.txt')
      refused(response, 'the copy', 403)
      hides(fixture, response, 'the copy', 'outside/secret.txt')
      const plain = '/api/resources/pub?action=copy&destination=%2Fpub2'
      works(await fixture.call('alice', 'PATCH', plain), 'a plain copy')
    },
  },
  {
    id: 'G-22',
    attack: 'a symbolic link in a shared folder to a folder outside it',
    reason: 'the shared folder is the root of the visitor’s scope',
    async run(fixture) {
      symlinkSync('../private', fixture.disk('alice/pub/in'))
      const hash = await share(fixture, 'alice', '/pub')
      const inner = await fixture.call('', 'GET', `/api/public/dl/${hash}/in/p.txt`)
      refused(inner, 'the link', 403)
      hides(fixture, inner, 'the link', 'alice/private/p.txt')
      const listed = works(await fixture.call('', 'GET', `/api/public/share/${hash}/`), 'the share')
      const { items }: { items: { name: string }[] } = JSON.parse(listed.text)
      assert(!items.some(({ name }) => name === 'in'), 'the listing names the link')
      works(await fixture.call('', 'GET', `/api/public/dl/${hash}/in.txt`), 'what is shared')
    },
  },
  {
    id: 'G-23',
    attack: 'sharing a symbolic link to the outside',
    reason: BENEATH,
    async run(fixture) {
      refused(await fixture.call('alice', 'POST', '/api/share/f', {}), 'sharing', 403)
      await share(fixture, 'alice', '/own.txt')
      const listed = works(await fixture.call('alice', 'GET', '/api/shares'), 'the shares')
      assert(!listed.text.includes('"/f"'), 'the link is shared')
      assert(listed.text.includes('"/own.txt"'), 'the list lacks a share')
    },
  },
  {
    id: 'G-24',
    attack: 'replacing a folder by a symbolic link during an upload into it',
    reason:
      'an unfinished upload is staged in the private folder, and nothing is at its destination',
    async run(fixture) {
      mkdirSync(fixture.disk('alice/tmp'))
      writeFileSync(join(fixture.outside, 'u.bin'), 'kept')
      const length = { ...TUS, 'Upload-Length': '4' }
      works(
        await fixture.call('alice', 'POST', '/api/tus/tmp/u.bin', undefined, length),
        'tus',
        201,
      )
      rmSync(fixture.disk('alice/tmp'), { recursive: true })
      symlinkSync(fixture.outside, fixture.disk('alice/tmp'))
      const bytes = {
        ...TUS,
        'Upload-Offset': '0',
        'Content-Type': 'application/offset+octet-stream',
      }
      refused(
        await fixture.call('alice', 'PATCH', '/api/tus/tmp/u.bin', 'evil', bytes),
        'the last byte',
        403,
      )
      const kept = () => readFileSync(join(fixture.outside, 'u.bin'), 'utf8') === 'kept'
      assert(kept(), 'the file outside changed')
      rmSync(fixture.disk('alice/tmp'))
      mkdirSync(fixture.disk('alice/tmp'))
      bytes['Upload-Offset'] = '4'
      works(await fixture.call('alice', 'PATCH', '/api/tus/tmp/u.bin', '', bytes), 'a folder', 204)
      assert(kept() && fixture.read('alice/tmp/u.bin') === 'evil', 'the upload went elsewhere')
    },
  },
  {
    id: 'G-25',
    attack: 'an archive of a folder with symbolic links to the outside',
    reason:
      'an archive contains the targets of links instead of links, and nothing from the outside',
    async run(fixture) {
      const response = works(
        await fixture.call('alice', 'GET', '/api/raw/?algo=tar'),
        'the archive',
      )
      hides(fixture, response, 'the archive', 'outside/secret.txt', 'bob/secret.txt')
      assert(
        response.text.includes(fixture.mark('alice/own.txt')),
        'the archive lacks the own file',
      )
      assert(!response.text.includes(fixture.outside), 'the archive contains an outside path')
    },
  },
  {
    id: 'G-170',
    attack: 'moving a file onto itself through a symbolic link',
    reason: 'file identities are compared instead of paths, so a file does not replace itself',
    async run(fixture) {
      symlinkSync('pub', fixture.disk('alice/link'))
      const replaceBy = (from: string, to: string) =>
        fixture.call(
          'alice',
          'PATCH',
          `/api/resources/${from}?action=rename&override=true&destination=${encodeURIComponent(to)}`,
        )
      refused(await replaceBy('pub/in.txt', '/link/in.txt'), 'a file onto itself', 409)
      refused(await replaceBy('pub', '/link/new'), 'a folder into itself', 400)
      assert(
        fixture.read('alice/pub/in.txt') === fixture.mark('alice/pub/in.txt'),
        'the file is lost',
      )
      works(await replaceBy('pub/in.txt', '/link/other.txt'), 'another name')
    },
  },
  {
    id: 'G-171',
    attack: 'replacing a shared folder by a symbolic link',
    reason:
      'the real path and the identity of what a share leads to are compared each time it is opened',
    async run(fixture) {
      mkdirSync(fixture.disk('alice/closed'))
      writeFileSync(fixture.disk('alice/closed/in.txt'), fixture.mark('alice/own.txt'))
      const hash = await share(fixture, 'alice', '/pub/')
      works(await fixture.call('', 'GET', `/api/public/dl/${hash}/in.txt`), 'the shared file')
      rmSync(fixture.disk('alice/pub'), { recursive: true })
      symlinkSync('closed', fixture.disk('alice/pub'))
      for (const route of ['share', 'dl']) {
        const response = await fixture.call('', 'GET', `/api/public/${route}/${hash}/in.txt`)
        refused(response, route, 404)
        hides(fixture, response, route, 'alice/own.txt')
      }
    },
  },
  {
    id: 'G-172',
    attack: 'the same version for two contents, by a modification time from the client',
    reason: 'a version includes the change time, which no client can set',
    async run(fixture) {
      const headers = { 'X-Modified': '1700000000000' }
      const put = (text: string) =>
        fixture.call('alice', 'POST', '/api/resources/twin.txt?override=true', text, headers)
      works(await put('first'), 'the first')
      const seen = works(await fixture.call('alice', 'GET', '/api/raw/twin.txt'), 'reading')
      const etag = seen.headers.get('etag') ?? ''
      for (const text of ['other', 'third']) works(await put(text), text)
      const stale = { 'If-Match': etag }
      const response = await fixture.call('alice', 'PUT', '/api/resources/twin.txt', 'first', stale)
      refused(response, 'saving over the changes of another user', 412)
      assert(fixture.read('alice/twin.txt') === 'third', 'the changes of the other user are lost')
    },
  },
  {
    id: 'G-173',
    attack: 'a modification time beyond the range of dates, so that the folder cannot be listed',
    reason: 'times are limited to the range of dates when they are received and when they are read',
    async run(fixture) {
      const far = { 'X-Modified': '8640000000000001' }
      works(await fixture.call('alice', 'POST', '/api/resources/far.txt', 'x', far), 'the file')
      works(await fixture.call('alice', 'GET', '/api/resources/'), 'the folder')
      works(await fixture.call('alice', 'GET', '/api/raw/far.txt'), 'the file itself')
    },
  },
]

/** @returns the hash of a new share */
async function share(fixture: Fixture, who: string, path: string): Promise<string> {
  const response = works(
    await fixture.call(who, 'POST', `/api/share${path}`, {}),
    `sharing ${path}`,
  )
  return JSON.parse(response.text).hash
}

/** The file outside must be unchanged, and no file may be added there. */
function assertOutsideUnchanged(fixture: Fixture): void {
  const secret = readFileSync(join(fixture.outside, 'secret.txt'), 'utf8')
  assert(secret === fixture.mark('outside/secret.txt'), 'the file outside changed')
  assert(!existsSync(join(fixture.outside, 'new.txt')), 'a file was created outside')
  assert(!existsSync(join(fixture.outside, 'injected.txt')), 'a file was created outside')
}
