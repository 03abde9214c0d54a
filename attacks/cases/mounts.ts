/** Attacks on another file system that is mounted inside the served folder. */
import { lstatSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { assert, hides, refused, untouched, works } from '../assertions.ts'
import type { AttackCase } from '../case.ts'
import type { Fixture } from '../fixture.ts'
import type { RawResponse } from '../raw-request.ts'

export const mountCases: AttackCase[] = [
  {
    id: 'G-104',
    attack:
      'moving a folder with symbolic links to another file system, to read the files that they lead to',
    reason:
      'a move across file systems copies a link as a link, and never the file that it leads to',
    async run(fixture) {
      mkdirSync(fixture.disk('alice/box'))
      symlinkSync('../../bob/secret.txt', fixture.disk('alice/box/link-to-bob'))
      symlinkSync('../../../outside', fixture.disk('alice/box/link-outside'))
      symlinkSync('../../../../outside', fixture.disk('alice/box/link-above-root'))
      symlinkSync('../../../bob/secret.txt', fixture.disk('alice/box/link-to-bob-after-move'))
      writeFileSync(fixture.disk('alice/box/plain'), 'plain')
      works(await move(fixture, 'box', 'mounted/box'), 'moving a folder')
      works(await fixture.call('alice', 'GET', '/api/raw/mounted/box/plain'), 'a moved file')
      assert(
        lstatSync(fixture.disk('alice/mounted/box/link-to-bob')).isSymbolicLink(),
        'a link was followed',
      )
      for (const [target, status] of [
        ['link-to-bob', 404],
        ['link-outside/secret.txt', 403],
        ['link-above-root/secret.txt', 403],
        ['link-to-bob-after-move', 403],
      ] as const) {
        const response = await fixture.call('alice', 'GET', `/api/raw/mounted/box/${target}`)
        refused(response, target, status)
        hides(fixture, response, target, 'bob/secret.txt', 'outside/secret.txt')
      }
    },
  },
  {
    id: 'G-105',
    attack: 'a move to another file system without enough space, to make the server lose files',
    reason: 'the source is removed only after all of it was copied, compared and published',
    async run(fixture) {
      const large = 'x'.repeat(12 * 1024 * 1024)
      for (const name of ['a', 'b']) {
        mkdirSync(fixture.disk('alice/large'), { recursive: true })
        writeFileSync(fixture.disk('alice/large', name), large)
      }
      refused(await move(fixture, 'large', 'mounted/large'), 'a move that does not fit', 507)
      for (const name of ['a', 'b']) assert(fixture.exists('alice/large', name), `${name} is lost`)
      assert(!fixture.exists('alice/mounted/large'), 'a part of the folder was moved')
      works(await move(fixture, 'pub', 'mounted/pub'), 'a move that fits')
      assert(!fixture.exists('alice/pub'), 'the source is still there')
      assert(
        fixture.read('alice/mounted/pub/in.txt') === fixture.mark('alice/pub/in.txt'),
        'the moved file changed',
      )
    },
  },
  {
    id: 'G-106',
    attack:
      'concurrent requests that create the same name or save the same version on another file system',
    reason: 'the check and the replacement are one step',
    async run(fixture) {
      const stored = () => fixture.read('alice/mounted/once')
      const created = ['1', '2', '3', '4'].map((digit) => digit.repeat(20_000))
      const creations = await Promise.all(
        created.map((body) => fixture.call('alice', 'POST', '/api/resources/mounted/once', body)),
      )
      const first = acceptedBody(created, creations, 409, 'a new name')
      assert(stored() === first, 'the new file is not the one that was accepted')
      const read = await fixture.call('alice', 'GET', '/api/raw/mounted/once')
      const etag = works(read, 'reading').headers.get('etag') ?? ''
      const saved = ['a', 'b', 'c', 'd'].map((letter) => letter.repeat(20_000))
      const saves = await Promise.all(
        saved.map((body) =>
          fixture.call('alice', 'PUT', '/api/resources/mounted/once', body, { 'If-Match': etag }),
        ),
      )
      const second = acceptedBody(saved, saves, 412, 'a version')
      assert(stored() === second, 'the saved file is not the one that was accepted')
    },
  },
  {
    id: 'G-107',
    attack: 'removing or moving a folder in which another file system is mounted',
    reason: 'the whole tree is surveyed before anything is changed',
    async run(fixture) {
      writeFileSync(fixture.disk('alice/mounted/kept'), 'kept')
      const deleteAsAdmin = (target: string) =>
        fixture.call('admin', 'DELETE', `/api/resources/${target}`)
      refused(await deleteAsAdmin('alice/mounted/'), 'removing the mount', 423)
      refused(await deleteAsAdmin('alice/'), 'removing the folder above', 423)
      refused(await move(fixture, 'mounted', 'elsewhere'), 'moving the mount', 423)
      assert(fixture.read('alice/mounted/kept') === 'kept', 'files of the mount are lost')
      untouched(fixture, 'removing', 'alice/own.txt', 'alice/pub/in.txt')
      works(
        await fixture.call('alice', 'DELETE', '/api/resources/mounted/kept'),
        'removing a file of the mounted file system',
        204,
      )
    },
  },
]

function move(fixture: Fixture, from: string, to: string): Promise<RawResponse> {
  const destination = encodeURIComponent(`/${to}`)
  return fixture.call(
    'alice',
    'PATCH',
    `/api/resources/${from}?action=rename&destination=${destination}`,
  )
}

/** The body of the only request that was answered with 200. All others must have been answered with `refusal`. */
function acceptedBody(
  bodies: readonly string[],
  responses: readonly RawResponse[],
  refusal: number,
  description: string,
): string {
  const [accepted, ...more] = bodies.filter((_, index) => responses[index]?.status === 200)
  const refusals = responses.filter(({ status }) => status === refusal).length
  assert(
    accepted !== undefined && more.length === 0 && refusals === bodies.length - 1,
    `${description} was answered with ${responses.map(({ status }) => status).join(', ')}`,
  )
  return accepted
}
