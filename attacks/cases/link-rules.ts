/** Symbolic links together with rules: a denied path stays denied through every link. */
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { assert, hides, refused, untouched, works } from '../assertions.ts'
import type { AttackCase } from '../case.ts'
import type { Fixture } from '../fixture.ts'

const BOTH = 'rules are checked for the path in the request and for the path that it leads to'
const SECRETS = ['ruled/private/secret.txt', 'ruled/docs/secret/deep.txt']

export const linkRuleCases: AttackCase[] = [
  {
    id: 'G-180',
    attack: 'reading a denied file through a symbolic link',
    reason: BOTH,
    async run(fixture) {
      makeLinks(fixture)
      for (const target of [
        '/api/raw/way/secret.txt',
        '/api/raw/name',
        '/api/resources/way/',
        '/api/resources/name',
        '/api/resources/name?checksum=sha256',
        '/api/raw/way/?algo=tar',
        '/api/usage/way/',
        '/api/events/way/',
      ]) {
        const response = await fixture.call('ruled', 'GET', target)
        refused(response, target, 403)
        hides(fixture, response, target, ...SECRETS)
      }
      for (const target of ['/api/raw/?algo=tar', '/api/search/?query=txt', '/api/resources/']) {
        hides(
          fixture,
          works(await fixture.call('ruled', 'GET', target), target),
          target,
          ...SECRETS,
        )
      }
      works(
        await fixture.call('ruled', 'GET', '/api/raw/open/a.txt'),
        'a link to an allowed folder',
      )
    },
  },
  {
    id: 'G-181',
    attack: 'copying, changing or sharing a denied file through a symbolic link',
    reason: BOTH,
    async run(fixture) {
      makeLinks(fixture)
      const patch = (action: string, from: string, to: string) =>
        fixture.call(
          'ruled',
          'PATCH',
          `/api/resources/${from}?action=${action}&destination=${encodeURIComponent(to)}`,
        )
      refused(await patch('copy', 'way/secret.txt', '/out.txt'), 'a copy', 403)
      refused(await patch('copy', 'name', '/out.txt'), 'a copy of a link', 403)
      refused(await patch('rename', 'way/secret.txt', '/out.txt'), 'a move', 403)
      refused(
        await patch('rename', 'free/a.txt', '/way/a.txt'),
        'a move into the denied folder',
        403,
      )
      const put = await fixture.call('ruled', 'PUT', '/api/resources/name', 'evil')
      refused(put, 'a save', 403)
      const made = await fixture.call('ruled', 'POST', '/api/resources/way/new.txt', 'evil')
      refused(made, 'a new file', 403)
      refused(
        await fixture.call('ruled', 'DELETE', '/api/resources/way/secret.txt'),
        'removal',
        403,
      )
      refused(await fixture.call('ruled', 'POST', '/api/share/way/', {}), 'a public link', 403)
      assert(!fixture.exists('ruled/out.txt'), 'the denied file was copied')
      assert(!fixture.exists('ruled/private/new.txt'), 'a file was created')
      assert(!fixture.exists('ruled/private/a.txt'), 'a file was moved into the denied folder')
      untouched(fixture, 'the attempt', ...SECRETS, 'ruled/free/a.txt')
      works(await patch('copy', 'open/a.txt', '/twin.txt'), 'a copy of an allowed file')
    },
  },
  {
    id: 'G-182',
    attack: 'a shared folder with a symbolic link to a denied file',
    reason: 'the rules of the owner apply to visitors, wherever a link leads',
    async run(fixture) {
      mkdirSync(fixture.disk('ruled/shown'))
      writeFileSync(fixture.disk('ruled/shown/in.txt'), fixture.mark('ruled/free/a.txt'))
      symlinkSync('../private', fixture.disk('ruled/shown/way'))
      const made = works(
        await fixture.call('ruled', 'POST', '/api/share/shown/', {}),
        'a public link',
      )
      const { hash } = JSON.parse(made.text)
      const response = await fixture.call('', 'GET', `/api/public/dl/${hash}/way/secret.txt`)
      refused(response, 'the file', 403)
      const all = works(
        await fixture.call('', 'GET', `/api/public/dl/${hash}/?algo=tar`),
        'all of it',
      )
      hides(fixture, all, 'the archive', ...SECRETS)
      assert(
        all.text.includes(fixture.mark('ruled/free/a.txt')),
        'the archive lacks the allowed file',
      )
    },
  },
]

/** Creates links beside their targets: a denied folder, a denied file, and an allowed folder. */
function makeLinks(fixture: Fixture): void {
  symlinkSync('private', fixture.disk('ruled/way'))
  symlinkSync('docs/secret/deep.txt', fixture.disk('ruled/name'))
  symlinkSync('free', fixture.disk('ruled/open'))
}
