import { expect, test } from 'bun:test'
import { Scope } from '#server/access/scope.ts'
import { listing } from '#server/files/listing.ts'
import { subtitlesIn } from '#server/files/subtitles.ts'
import { parsePath, ROOT } from '#wire/paths.ts'
import { permissionsOf } from '#wire/permissions.ts'
import { MemoryStorage } from '../../support/memory-storage.ts'

test('a listing grows with what is in it, and not with videos times subtitles', async () => {
  const storage = new MemoryStorage()
  await storage.mkdir(parsePath('/films/subs'))
  const put = (path: string) =>
    storage.write(parsePath(path), new Uint8Array(), { overwrite: false })
  for (let number = 0; number < 600; number += 1) await put(`/films/film${number}.mp4`)
  for (let number = 0; number < 1200; number += 1) await put(`/films/subs/${number}.srt`)
  const actor = {
    id: 1,
    username: 'anna',
    perm: permissionsOf('download'),
    scope: ROOT,
    rulesFrom: [ROOT],
    rules: [],
    hideDotfiles: false,
  }
  const nobody = { moved: () => undefined, removed: () => undefined }
  const scope = new Scope(storage, actor, nobody, async () => undefined)
  const folder = parsePath('/films')
  const shelf = await subtitlesIn(scope, folder)
  expect(shelf.of(parsePath('/films/film1.mp4'))).toHaveLength(32)
  const look = { inside: false, subtitles: true }
  const { items } = await listing(scope, folder, { by: 'name', asc: true }, look)
  expect(items.filter(({ subtitles }) => subtitles).length).toBe(500)
})
