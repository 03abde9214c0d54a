/** B. Links on the disk, and folders swapped for links. */
import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Case } from '../case.ts'
import { hides, must, refused, works } from '../claims.ts'
import type { World } from '../world.ts'

const BENEATH = 'the kernel opens beneath the person’s folder; a link that leaves it is refused'
const TUS = { 'Tus-Resumable': '1.0.0' }

export const linkCases: Case[] = [
  {
    id: 'G-16',
    attack: 'reading through a link that leads out',
    because: BENEATH,
    async run(world) {
      for (const target of [
        '/api/raw/f',
        '/api/raw/d/secret.txt',
        '/api/resources/d/',
        '/api/resources/f?checksum=md5',
        '/api/raw/rel/secret.txt',
      ]) {
        const answer = await world.call('alice', 'GET', target)
        refused(answer, target, 403)
        hides(world, answer, target, 'outside/secret.txt', 'bob/secret.txt')
      }
      works(await world.call('alice', 'GET', '/api/raw/own.txt'), 'the own file')
    },
  },
  {
    id: 'G-17',
    attack: 'writing through a link that leads out',
    because: BENEATH,
    async run(world) {
      refused(await world.call('alice', 'POST', '/api/resources/f?override=true', 'x'), 'POST', 403)
      refused(await world.call('alice', 'PUT', '/api/resources/d/secret.txt', 'x'), 'PUT', 403)
      const length = { ...TUS, 'Upload-Length': '20' }
      refused(
        await world.call('alice', 'POST', '/api/tus/d/injected.txt', undefined, length),
        'tus',
        403,
      )
      const patch = await world.call('alice', 'PATCH', '/api/tus/d/injected.txt', 'x', {
        ...TUS,
        'Upload-Offset': '0',
        'Content-Type': 'application/offset+octet-stream',
      })
      refused(patch, 'tus PATCH', 404)
      outsideIsWhole(world)
      works(await world.call('alice', 'PUT', '/api/resources/own.txt', 'y'), 'the own file')
    },
  },
  {
    id: 'G-18',
    attack: 'writing through a link whose target is missing',
    because: 'what a link leads to is resolved by the kernel, also where nothing is yet',
    async run(world) {
      refused(
        await world.call('alice', 'POST', '/api/resources/dang?override=true', 'x'),
        'POST',
        403,
      )
      outsideIsWhole(world)
      works(await world.call('alice', 'POST', '/api/resources/fresh', 'x'), 'a new file')
    },
  },
  {
    id: 'G-19',
    attack: 'deleting through a link',
    because: 'removal acts on the name in an open folder and follows no link',
    async run(world) {
      refused(await world.call('alice', 'DELETE', '/api/resources/d/secret.txt'), 'inside', 403)
      const link = await world.call('alice', 'DELETE', '/api/resources/d')
      works(link, 'the link itself', 204)
      outsideIsWhole(world)
      works(await world.call('alice', 'DELETE', '/api/resources/junk.txt'), 'the own file', 204)
    },
  },
  {
    id: 'G-20',
    attack: 'a refused write whose clean-up deletes',
    because: 'bytes are staged elsewhere; there is nothing at the destination to clean up',
    async run(world) {
      refused(await world.call('creator', 'POST', '/api/resources/d/secret.txt', 'x'), 'POST', 403)
      refused(
        await world.call('creator', 'POST', '/api/resources/own.txt?override=true', 'x'),
        'override',
        403,
      )
      outsideIsWhole(world)
      must(world.read('alice/own.txt') === world.mark('alice/own.txt'), 'the own file changed')
      works(await world.call('creator', 'POST', '/api/resources/made.txt', 'x'), 'a new file')
    },
  },
  {
    id: 'G-21',
    attack: 'copying a folder that holds a link out',
    because:
      'a copy resolves every link beneath the person’s folder, and leaves out what leaves it',
    async run(world) {
      mkdirSync(world.disk('alice/box'))
      symlinkSync(world.outside, world.disk('alice/box/link'))
      writeFileSync(world.disk('alice/box/plain'), 'plain')
      await world.call('alice', 'PATCH', '/api/resources/box?action=copy&destination=%2Fbox2')
      must(!existsSync(world.disk('alice/box2/link/secret.txt')), 'the copy holds the secret')
      const answer = await world.call('alice', 'GET', '/api/raw/box2/link/secret.txt')
      refused(answer, 'the copy', 404)
      hides(world, answer, 'the copy', 'outside/secret.txt')
      const plain = '/api/resources/pub?action=copy&destination=%2Fpub2'
      works(await world.call('alice', 'PATCH', plain), 'a plain copy')
    },
  },
  {
    id: 'G-22',
    attack: 'a link inside a shared folder that leads out of it',
    because: 'the shared folder is a jail of its own',
    async run(world) {
      symlinkSync('../private', world.disk('alice/pub/in'))
      const hash = await share(world, 'alice', '/pub')
      const inner = await world.call('', 'GET', `/api/public/dl/${hash}/in/p.txt`)
      refused(inner, 'the link', 403)
      hides(world, inner, 'the link', 'alice/private/p.txt')
      const listed = works(await world.call('', 'GET', `/api/public/share/${hash}/`), 'the share')
      const { items }: { items: { name: string }[] } = JSON.parse(listed.text)
      must(!items.some(({ name }) => name === 'in'), 'the listing names the link')
      works(await world.call('', 'GET', `/api/public/dl/${hash}/in.txt`), 'what is shared')
    },
  },
  {
    id: 'G-23',
    attack: 'sharing a link that leads out',
    because: BENEATH,
    async run(world) {
      refused(await world.call('alice', 'POST', '/api/share/f', {}), 'sharing', 403)
      const listed = await world.call('alice', 'GET', '/api/shares')
      must(!listed.text.includes('"/f"'), 'the link is shared')
      await share(world, 'alice', '/own.txt')
    },
  },
  {
    id: 'G-24',
    attack: 'a folder swapped for a link under an unfinished upload',
    because: 'an unfinished upload has nothing at its destination, and ends in the private folder',
    async run(world) {
      mkdirSync(world.disk('alice/tmp'))
      writeFileSync(join(world.outside, 'u.bin'), 'kept')
      const length = { ...TUS, 'Upload-Length': '4' }
      works(await world.call('alice', 'POST', '/api/tus/tmp/u.bin', undefined, length), 'tus', 201)
      rmSync(world.disk('alice/tmp'), { recursive: true })
      symlinkSync(world.outside, world.disk('alice/tmp'))
      const bytes = {
        ...TUS,
        'Upload-Offset': '0',
        'Content-Type': 'application/offset+octet-stream',
      }
      refused(
        await world.call('alice', 'PATCH', '/api/tus/tmp/u.bin', 'evil', bytes),
        'the last byte',
        403,
      )
      await world.call('alice', 'DELETE', '/api/tus/tmp/u.bin', undefined, TUS)
      must(
        readFileSync(join(world.outside, 'u.bin'), 'utf8') === 'kept',
        'the file outside changed',
      )
    },
  },
  {
    id: 'G-25',
    attack: 'an archive of a folder with links that lead out',
    because: 'an archive holds what links lead to, never links, and nothing from outside',
    async run(world) {
      const answer = works(await world.call('alice', 'GET', '/api/raw/?algo=tar'), 'the archive')
      hides(world, answer, 'the archive', 'outside/secret.txt', 'bob/secret.txt')
      must(answer.text.includes(world.mark('alice/own.txt')), 'the archive lacks the own file')
      must(!answer.text.includes(world.outside), 'the archive names a place outside')
    },
  },
]

/** @returns the hash of a new link */
async function share(world: World, who: string, path: string): Promise<string> {
  const answer = works(await world.call(who, 'POST', `/api/share${path}`, {}), `sharing ${path}`)
  return JSON.parse(answer.text).hash
}

function outsideIsWhole(world: World): void {
  const secret = readFileSync(join(world.outside, 'secret.txt'), 'utf8')
  must(secret === world.mark('outside/secret.txt'), 'the file outside changed')
  must(!existsSync(join(world.outside, 'new.txt')), 'a file was made outside')
  must(!existsSync(join(world.outside, 'injected.txt')), 'a file was made outside')
}
