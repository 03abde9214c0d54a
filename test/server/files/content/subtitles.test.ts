import { expect, test } from 'bun:test'
import { Scope } from '#server/access/scope/scope.ts'
import { subtitlesAmong, webVtt } from '#server/files/content/subtitles.ts'
import { typeByName } from '#server/files/file-types.ts'
import { listing } from '#server/files/listing/listing.ts'
import { parsePath, ROOT } from '#wire/paths.ts'
import { permissionsOf } from '#wire/permissions.ts'
import { MemoryStorage } from '../../../support/storage/memory-storage.ts'
import { NO_SHARES } from '../../../support/storage/path-listener.ts'

function scopeOn(storage: MemoryStorage): Scope {
  const actor = {
    id: 1,
    username: 'anna',
    perm: permissionsOf('download'),
    scope: ROOT,
    rulesFrom: [ROOT],
    rules: [],
    hideDotfiles: false,
  }
  return new Scope(storage, actor, NO_SHARES, async () => undefined)
}

test('the size of a listing does not grow with videos times subtitles @limit-69', async () => {
  const storage = new MemoryStorage()
  await storage.mkdir(parsePath('/films/subs'))
  const put = (path: string) =>
    storage.write(parsePath(path), new Uint8Array(), { overwrite: false })
  for (let number = 0; number < 600; number += 1) await put(`/films/film${number}.mp4`)
  for (let number = 0; number < 1200; number += 1) await put(`/films/subs/${number}.srt`)
  const scope = scopeOn(storage)
  const folder = parsePath('/films')
  const folderSubtitles = await subtitlesAmong(scope, await scope.list(folder))
  expect(folderSubtitles.of(parsePath('/films/film1.mp4'))).toHaveLength(32)
  const options = { inside: false, subtitles: true }
  using opened = await scope.openFolder(folder)
  const { items } = await listing(scope, opened, { by: 'name', asc: true }, options)
  expect(items.filter(({ subtitles }) => subtitles).length).toBe(500)
})

test('the number and size of subtitle files that are considered is limited', async () => {
  const storage = new MemoryStorage()
  const put = (path: string, bytes = 1) =>
    storage.write(parsePath(path), new Uint8Array(bytes), { overwrite: false })
  // More subtitles than are read of a folder, so that those of the film are not found.
  for (let number = 0; number < 1000; number += 1) await put(`/other${number}.srt`)
  await put('/film.srt')
  await put('/film.mp4')
  const scope = scopeOn(storage)
  expect((await subtitlesAmong(scope, await scope.list(ROOT))).of(parsePath('/film.mp4'))).toEqual(
    [],
  )
  await put('/short.vtt', 4 * 2 ** 20)
  await put('/long.vtt', 4 * 2 ** 20 + 1)
  expect((await webVtt(scope, parsePath('/short.vtt'))).length).toBe(4 * 2 ** 20)
  await expect(webVtt(scope, parsePath('/long.vtt'))).rejects.toMatchObject({ code: 'tooLarge' })
})

test('the subtitles of a numbered film are not those of a film whose number begins with it', async () => {
  const storage = new MemoryStorage()
  const put = (path: string) =>
    storage.write(parsePath(path), new Uint8Array(), { overwrite: false })
  await storage.mkdir(parsePath('/subs'))
  for (const name of ['Show E1', 'Show E10', 'Show E1 extra', 'Show E1é']) {
    await storage.mkdir(parsePath(`/subs/${name}`))
    await put(`/${name}.srt`)
    await put(`/subs/${name}/a.srt`)
  }
  await put('/Show E1.de.srt')
  const scope = scopeOn(storage)
  const folder = await subtitlesAmong(scope, await scope.list(ROOT))
  expect(folder.of(parsePath('/Show E1.mp4'))).toEqual([
    '/Show E1 extra.srt',
    '/Show E1.de.srt',
    '/Show E1.srt',
    '/subs/Show E1 extra/a.srt',
    '/subs/Show E1/a.srt',
  ] as never)
  expect(folder.of(parsePath('/Show E10.mp4'))).toEqual([
    '/Show E10.srt',
    '/subs/Show E10/a.srt',
  ] as never)
})

test('an encoding that the user has chosen replaces the detected one', async () => {
  const storage = new MemoryStorage()
  const path = parsePath('/film.vtt')
  await storage.write(path, new Uint8Array(Buffer.from('Gr\xfc\xdfe', 'latin1')), {
    overwrite: false,
  })
  const scope = scopeOn(storage)
  expect(await webVtt(scope, path, 'windows-1251')).toBe('GrьЯe')
  await expect(webVtt(scope, path, 'no-encoding')).rejects.toMatchObject({ code: 'badRequest' })
})

test('a listing reads a limited number of files, and no large ones', async () => {
  const storage = new MemoryStorage()
  const put = (path: string, bytes: number) =>
    storage.write(parsePath(path), new Uint8Array(bytes).fill(65), { overwrite: false })
  for (let number = 0; number < 300; number += 1) await put(`/${number}`, 1)
  const options = { inside: true, subtitles: false }
  const sorting = { by: 'name', asc: true } as const
  const small = scopeOn(storage)
  using opened = await small.openFolder(ROOT)
  const { items } = await listing(small, opened, sorting, options)
  expect(items.filter(({ type }) => type === 'text')).toHaveLength(256)

  const large = new MemoryStorage()
  const [fits, tooLarge] = [10 * 2 ** 20, 10 * 2 ** 20 + 1]
  for (const [name, bytes] of [
    ['/fits', fits],
    ['/large', tooLarge],
    ['/fits.txt', fits],
    ['/large.txt', tooLarge],
  ] as const) {
    await large.write(parsePath(name), new Uint8Array(bytes).fill(65), { overwrite: false })
  }
  const scope = scopeOn(large)
  using openedLarge = await scope.openFolder(ROOT)
  const listed = await listing(scope, openedLarge, sorting, options)
  const types = listed.items.map(({ name, type }) => [name, type])
  expect(Object.fromEntries(types)).toEqual({
    fits: 'text',
    'fits.txt': 'text',
    large: 'blob',
    'large.txt': 'blob',
  })
  expect(typeByName(await scope.stat(parsePath('/large.txt')))).toBe('blob')
})

test.each([
  ['windows-1252', Buffer.from('Gr\xfc\xdfe', 'latin1'), 'Grüße'],
  ['utf-16le', Buffer.from('\ufeffGrüße', 'utf16le'), 'Grüße'],
  [
    'windows-1251',
    Buffer.from('\xcf\xf0\xe8\xe2\xe5\xf2, \xec\xe8\xf0!', 'latin1'),
    'Привет, мир!',
  ],
])('subtitles in %s are read', async (_, bytes, text) => {
  const storage = new MemoryStorage()
  const path = parsePath('/film.vtt')
  await storage.write(path, new Uint8Array(bytes), { overwrite: false })
  expect(await webVtt(scopeOn(storage), path)).toBe(text)
})
