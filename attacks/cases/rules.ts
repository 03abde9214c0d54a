/** Access rules. */
import { existsSync } from 'node:fs'
import { assert, hides, refused, untouched, works } from '../assertions.ts'
import type { AttackCase } from '../case.ts'

const PRIVATE = 'ruled/private/secret.txt'
const DEEP = 'ruled/docs/secret/deep.txt'

export const ruleCases: AttackCase[] = [
  {
    id: 'G-26',
    attack: 'a denied path with additional slashes at its beginning',
    reason: 'rules are checked for the cleaned path',
    async run(fixture) {
      for (const target of [
        '/api/resources//private/secret.txt',
        '/api/raw///private/secret.txt',
      ]) {
        const response = await fixture.raw('ruled', 'GET', target)
        refused(response, target, 403)
        hides(fixture, response, target, PRIVATE)
      }
      works(await fixture.call('ruled', 'GET', '/api/raw/docs/open.txt'), 'what is allowed')
    },
  },
  {
    id: 'G-27',
    attack: 'a rule that applies to more than its folder, or to less',
    reason: 'a path rule ends at a segment boundary',
    async run(fixture) {
      for (const path of ['/private', '/private/', '/private/secret.txt']) {
        refused(await fixture.call('ruled', 'GET', `/api/resources${path}`), path, 403)
      }
      works(await fixture.call('ruled', 'GET', '/api/raw/private_backup/x.txt'), 'a similar name')
    },
  },
  {
    id: 'G-28',
    attack: '.. below an allowed folder',
    reason: 'rules are checked for the cleaned path',
    async run(fixture) {
      const response = await fixture.raw('ruled', 'GET', '/api/raw/docs/../private/secret.txt')
      refused(response, 'dots', 403)
      hides(fixture, response, 'dots', PRIVATE)
      works(await fixture.raw('ruled', 'GET', '/api/raw/docs/../docs/open.txt'), 'what is allowed')
    },
  },
  {
    id: 'G-29',
    attack: 'a denied path in upper or lower case',
    reason: 'rules ignore case if the file system does, which is tested at the start',
    async run(fixture) {
      const response = await fixture.call('ruled', 'GET', '/api/raw/PRIVATE/Secret.txt')
      const ignoresCase = existsSync(fixture.disk('RULED'))
      refused(response, 'other letters', 404)
      hides(fixture, response, 'other letters', PRIVATE)
      const other = await fixture.call('ruled', 'GET', '/api/resources/Docs/')
      if (ignoresCase) works(other, 'another spelling')
      else refused(other, 'another name', 404)
      works(await fixture.call('ruled', 'GET', '/api/resources/docs/'), 'its own name')
    },
  },
  {
    id: 'G-30',
    attack: 'copying, moving or deleting the parent of a denied folder',
    reason: 'every path that an operation would change is checked before anything is changed',
    async run(fixture) {
      const to = (action: string, name: string) =>
        fixture.call(
          'ruled',
          'PATCH',
          `/api/resources/docs?action=${action}&destination=%2F${name}`,
        )
      refused(await to('copy', 'dst'), 'copying', 403)
      refused(await to('rename', 'moved'), 'moving', 403)
      refused(await fixture.call('ruled', 'DELETE', '/api/resources/docs'), 'deleting', 403)
      untouched(fixture, 'the attempt', DEEP)
      assert(!fixture.exists('ruled/dst') && !fixture.exists('ruled/moved'), 'something was made')
      const free = '/api/resources/free?action=copy&destination=%2Ffree2'
      works(await fixture.call('ruled', 'PATCH', free), 'an allowed folder')
    },
  },
  {
    id: 'G-31',
    attack: 'denied names in listings, searches and archives',
    reason: 'every name is checked before it is shown',
    async run(fixture) {
      const targets = [
        ['/api/resources/', '"docs"'],
        ['/api/search/?query=e', 'docs/open.txt'],
        ['/api/search/?query=secret', ''],
        ['/api/raw/?algo=tar', 'docs/open.txt'],
      ] as const
      for (const [target, allowed] of targets) {
        const response = works(await fixture.call('ruled', 'GET', target), target)
        assert(response.text.includes(allowed), `${target} lacks ${allowed}`)
        hides(fixture, response, target, PRIVATE, DEEP)
        assert(
          !/"private"|private\/|deep\.txt/.test(response.text),
          `${target} shows a denied name`,
        )
      }
    },
  },
  {
    id: 'G-32',
    attack: 'a share of files that are denied to its owner',
    reason: 'rules are checked for the path as the owner sees it, each time the share is used',
    async run(fixture) {
      const made = works(await fixture.call('ruled', 'POST', '/api/share/docs/', {}), 'sharing')
      const { hash } = JSON.parse(made.text)
      for (const target of [
        `dl/${hash}/secret/deep.txt`,
        `share/${hash}/secret/`,
        `dl/${hash}/?algo=tar`,
      ]) {
        const response = await fixture.call('', 'GET', `/api/public/${target}`)
        if (!target.includes('algo')) refused(response, target, 403)
        else assert(works(response, target).text.includes('open.txt'), 'the archive is empty')
        hides(fixture, response, target, DEEP)
      }
      works(await fixture.call('', 'GET', `/api/public/dl/${hash}/open.txt`), 'what is allowed')
    },
  },
  {
    id: 'G-33',
    attack: 'creating a file or folder at a denied path',
    reason: 'every operation checks the rules first',
    async run(fixture) {
      refused(
        await fixture.call('ruled', 'POST', '/api/resources/private/new.txt', 'x'),
        'a file',
        403,
      )
      refused(await fixture.call('ruled', 'POST', '/api/resources/private/sub/'), 'a folder', 403)
      const headers = { 'Upload-Length': '1', 'Tus-Resumable': '1.0.0' }
      refused(
        await fixture.call('ruled', 'POST', '/api/tus/private/n.bin', undefined, headers),
        'an upload',
        403,
      )
      assert(String(fixture.names('ruled/private')) === 'secret.txt', 'something was made')
      works(await fixture.call('ruled', 'POST', '/api/resources/docs/new.txt', 'x'), 'elsewhere')
    },
  },
]
