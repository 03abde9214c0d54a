/** Another file system inside the served folder: nothing is lost there, and no rule ends there. */
import { lstatSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import type { Case } from '../case.ts'
import { hides, must, refused, untouched, works } from '../claims.ts'
import type { Answer, World } from '../world.ts'

export const mountCases: Case[] = [
  {
    id: 'G-104',
    attack: 'links moved to another file system, to read what they led to',
    because: 'a move takes links along as links, on every file system',
    async run(world) {
      mkdirSync(world.disk('alice/box'))
      symlinkSync('../../bob/secret.txt', world.disk('alice/box/way'))
      symlinkSync('../../outside', world.disk('alice/box/folder'))
      works(await move(world, 'box', 'disk/box'), 'moving a folder')
      must(lstatSync(world.disk('alice/disk/box/way')).isSymbolicLink(), 'a link was followed')
      for (const target of ['way', 'folder/secret.txt']) {
        const answer = await world.call('alice', 'GET', `/api/raw/disk/box/${target}`)
        refused(answer, target, 404)
        hides(world, answer, target, 'bob/secret.txt', 'outside/secret.txt')
      }
    },
  },
  {
    id: 'G-105',
    attack: 'a move to another file system that loses what cannot be copied',
    because: 'a move is complete, compared and published before its source goes',
    async run(world) {
      const large = 'x'.repeat(12 * 1024 * 1024)
      for (const name of ['a', 'b']) {
        mkdirSync(world.disk('alice/large'), { recursive: true })
        writeFileSync(world.disk('alice/large', name), large)
      }
      refused(await move(world, 'large', 'disk/large'), 'a move that does not fit', 507)
      for (const name of ['a', 'b']) must(world.exists('alice/large', name), `${name} is lost`)
      must(!world.exists('alice/disk/large'), 'half of it was moved')
      works(await move(world, 'pub', 'disk/pub'), 'a move that fits')
      must(world.read('alice/disk/pub/in.txt') === world.mark('alice/pub/in.txt'), 'it changed')
    },
  },
  {
    id: 'G-106',
    attack: 'two at once that take one name, or save one version, on another file system',
    because: 'what is looked at is what is replaced, in one step',
    async run(world) {
      const bodies = ['1', '2', '3', '4'].map((word) => word.repeat(20_000))
      const made = await Promise.all(
        bodies.map((body) => world.call('alice', 'POST', '/api/resources/disk/once', body)),
      )
      must(only(made, 200) && made.filter(({ status }) => status === 409).length === 3, 'creating')
      const etag =
        (await world.call('alice', 'GET', '/api/raw/disk/once')).headers.get('etag') ?? ''
      const saved = await Promise.all(
        bodies.map((body) =>
          world.call('alice', 'PUT', '/api/resources/disk/once', body, { 'If-Match': etag }),
        ),
      )
      must(only(saved, 200) && saved.filter(({ status }) => status === 412).length === 3, 'saving')
    },
  },
  {
    id: 'G-107',
    attack: 'a folder removed or moved together with a file system mounted in it',
    because: 'the whole is looked at before anything is touched',
    async run(world) {
      writeFileSync(world.disk('alice/disk/kept'), 'kept')
      const admin = (target: string) => world.call('admin', 'DELETE', `/api/resources/${target}`)
      refused(await admin('alice/disk/'), 'removing the mount', 423)
      refused(await admin('alice/'), 'removing the folder above', 423)
      must(world.read('alice/disk/kept') === 'kept', 'files of the mount are lost')
      untouched(world, 'removing', 'alice/own.txt', 'alice/pub/in.txt')
      works(await world.call('alice', 'DELETE', '/api/resources/disk/kept'), 'a file of it', 204)
    },
  },
]

function move(world: World, from: string, to: string): Promise<Answer> {
  const destination = encodeURIComponent(`/${to}`)
  return world.call(
    'alice',
    'PATCH',
    `/api/resources/${from}?action=rename&destination=${destination}`,
  )
}

function only(answers: readonly Answer[], status: number): boolean {
  return answers.filter((answer) => answer.status === status).length === 1
}
