/** Access rules. */
import { existsSync } from 'node:fs'
import { assert, hides, refused, untouched, works } from '../assertions.ts'
import type { AttackCase } from '../case.ts'

const PRIVATE = 'ruled/private/secret.txt'
const DEEP = 'ruled/docs/secret/deep.txt'

export const ruleCases: AttackCase[] = [
  {
    id: 'G-26',
    attack: 'a denied path with more slashes in front',
    because: 'rules are asked about the cleaned path',
    async run(fixture) {
      for (const target of [
        '/api/resources//private/secret.txt',
        '/api/raw///private/secret.txt',
      ]) {
        const answer = await fixture.raw('ruled', 'GET', target)
        refused(answer, target, 403)
        hides(fixture, answer, target, PRIVATE)
      }
      works(await fixture.call('ruled', 'GET', '/api/raw/docs/open.txt'), 'what is allowed')
    },
  },
  {
    id: 'G-27',
    attack: 'a rule that reaches beyond its folder, or not all of it',
    because: 'a path rule ends at a segment boundary',
    async run(fixture) {
      for (const path of ['/private', '/private/', '/private/secret.txt']) {
        refused(await fixture.call('ruled', 'GET', `/api/resources${path}`), path, 403)
      }
      works(await fixture.call('ruled', 'GET', '/api/raw/private_backup/x.txt'), 'a like name')
    },
  },
  {
    id: 'G-28',
    attack: 'dots below an allowed folder',
    because: 'rules are asked about the cleaned path',
    async run(fixture) {
      const answer = await fixture.raw('ruled', 'GET', '/api/raw/docs/../private/secret.txt')
      refused(answer, 'dots', 403)
      hides(fixture, answer, 'dots', PRIVATE)
      works(await fixture.raw('ruled', 'GET', '/api/raw/docs/../docs/open.txt'), 'what is allowed')
    },
  },
  {
    id: 'G-29',
    attack: 'a denied path in other letters',
    because: 'where the file system ignores case, so do rules; it is asked at the start',
    async run(fixture) {
      const answer = await fixture.call('ruled', 'GET', '/api/raw/PRIVATE/Secret.txt')
      const folds = existsSync(fixture.disk('RULED'))
      refused(answer, 'other letters', 404)
      hides(fixture, answer, 'other letters', PRIVATE)
      const other = await fixture.call('ruled', 'GET', '/api/resources/Docs/')
      if (folds) works(other, 'another spelling')
      else refused(other, 'another name', 404)
    },
  },
  {
    id: 'G-30',
    attack: 'copying, moving or deleting the folder above a denied one',
    because: 'everything a verb would touch is asked about before anything is touched',
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
    because: 'every name is asked about before it is shown',
    async run(fixture) {
      for (const target of ['/api/resources/', '/api/search/?query=secret', '/api/raw/?algo=tar']) {
        const answer = works(await fixture.call('ruled', 'GET', target), target)
        hides(fixture, answer, target, PRIVATE, DEEP)
        assert(!/"private"|private\/|deep\.txt/.test(answer.text), `${target} names what is denied`)
      }
    },
  },
  {
    id: 'G-32',
    attack: 'a public link around its owner’s rules',
    because: 'rules are asked about the path as the owner sees it, at every use of the link',
    async run(fixture) {
      const made = works(await fixture.call('ruled', 'POST', '/api/share/docs/', {}), 'sharing')
      const { hash } = JSON.parse(made.text)
      for (const target of [
        `dl/${hash}/secret/deep.txt`,
        `share/${hash}/secret/`,
        `dl/${hash}/?algo=tar`,
      ]) {
        const answer = await fixture.call('', 'GET', `/api/public/${target}`)
        if (!target.includes('algo')) refused(answer, target, 403)
        hides(fixture, answer, target, DEEP)
      }
      works(await fixture.call('', 'GET', `/api/public/dl/${hash}/open.txt`), 'what is allowed')
    },
  },
  {
    id: 'G-33',
    attack: 'making something in a denied place',
    because: 'every verb asks the rules first',
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
