/** How many previews are made at a time, for which clients, and which of them are stored. */
import { afterEach, beforeEach, expect, test } from 'bun:test'
import { mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import sharp from 'sharp'
import { type PictureExtractor, Previews } from '#server/files/previews/preview.ts'
import { PreviewCache } from '#server/files/previews/preview-cache.ts'
import { PreviewFailures } from '#server/files/previews/preview-failures.ts'
import { SvgRenderer } from '#server/files/previews/svg-renderer.ts'
import { SERVER_LIMITS } from '#server/lib/server-limits.ts'
import { LocalStorage } from '#server/storage/local/local-storage.ts'
import { Fault } from '#wire/fault.ts'
import { parsePath, type TreePath } from '#wire/paths.ts'
import { scopeOn } from '../../../support/files/archives.ts'
import { temporaryFolder } from '../../../support/files/tree.ts'

let folder: ReturnType<typeof temporaryFolder>
let storage: LocalStorage
let frame: Uint8Array
/** The names of the films whose frames were requested. */
let asked: string[]
/** The frames are returned when this is resolved. */
let gate: PromiseWithResolvers<void>
beforeEach(async () => {
  folder = temporaryFolder()
  mkdirSync(join(folder.path, 'root'))
  storage = await LocalStorage.open(join(folder.path, 'root'), {
    fileMode: 0o640,
    folderMode: 0o750,
    ownPaths: { files: [], folders: [] },
  })
  const picture = sharp({ create: { width: 64, height: 64, channels: 3, background: 'red' } })
  frame = await picture.jpeg().toBuffer()
  asked = []
  gate = Promise.withResolvers()
})
afterEach(() => {
  storage.close()
  folder.remove()
})

const frames: PictureExtractor = async (_, name) => {
  asked.push(name)
  await gate.promise
  return frame
}
const cacheIn = (name: string, bytes: number) => new PreviewCache(join(folder.path, name), bytes)
const previewsOn = (cache = cacheIn('cache', 0), atOnce = 1) =>
  new Previews(cache, '/served', atOnce, { svgRenderer: new SvgRenderer(['false']), frames })
const film = (name: string) => {
  writeFileSync(join(folder.path, 'root', name), name)
  return parsePath(`/${name}`)
}
const code = (work: Promise<unknown>) =>
  work.then(
    () => 'no fault',
    (error) => (error instanceof Fault ? error.code : error),
  )
const draw = async (previews: Previews, path: TreePath, gone = new AbortController().signal) => {
  const scope = scopeOn(storage)
  return previews.get(scope, await scope.stat(path), { size: 'thumb' }, gone)
}
/** Lets the event loop run several times, so that all work that waits for nothing else proceeds. */
const settled = async () => {
  for (let turn = 0; turn < 20; turn += 1) await new Promise(setImmediate)
}

test('a limited number of previews is made at a time, and a preview without waiting clients is not made', async () => {
  const previews = previewsOn()
  const left = new AbortController()
  const first = code(draw(previews, film('first.mp4')))
  while (asked.length === 0) await settled()
  const second = code(draw(previews, film('second.mp4'), left.signal))
  const third = code(draw(previews, film('third.mp4')))
  // Other previews, with a limit of their own, make one in the meantime: so the second film had the time to begin.
  const elsewhere = { svgRenderer: new SvgRenderer(['false']), frames: async () => frame }
  await draw(new Previews(cacheIn('cache', 0), '/other', 1, elsewhere), film('other.mp4'))
  expect(asked).toEqual(['first.mp4'])
  left.abort()
  gate.resolve()
  expect(await Promise.all([first, second, third])).toEqual(['no fault', 'aborted', 'no fault'])
  expect(asked).toEqual(['first.mp4', 'third.mp4'])
})

test('a preview that several clients wait for is made once, and sent to those that still wait', async () => {
  const previews = previewsOn()
  const blocking = draw(previews, film('first.mp4'))
  while (asked.length === 0) await settled()
  const left = new AbortController()
  const path = film('second.mp4')
  const both = [code(draw(previews, path, left.signal)), code(draw(previews, path))]
  await settled()
  left.abort()
  gate.resolve()
  expect(await Promise.all(both)).toEqual(['no fault', 'no fault'])
  await blocking
  expect(asked).toEqual(['first.mp4', 'second.mp4'])
})

test('a stored preview belongs to one tree, one file and one version', async () => {
  const previews = previewsOn()
  const scope = scopeOn(storage)
  const node = await scope.stat(film('a.mp4'))
  const other = scopeOn(storage)
  const key = previews.keyOf(scope, node, { size: 'thumb' })
  expect(previews.keyOf(other, node, { size: 'thumb' })).toBe(key)
  const home = { ...other.actor, scope: parsePath('/home') }
  Object.defineProperty(other, 'actor', { value: home })
  const keys = [
    key,
    previews.keyOf(other, node, { size: 'thumb' }),
    previews.keyOf(scope, node, { size: 'big' }),
    previews.keyOf(scope, { ...node, version: 'another' }, { size: 'thumb' }),
    previews.keyOf(scope, await scope.stat(film('b.mp4')), { size: 'thumb' }),
    new Previews(cacheIn('cache', 0), '/other', 1, {
      svgRenderer: new SvgRenderer(['false']),
      frames,
    }).keyOf(scope, node, { size: 'thumb' }),
  ]
  expect(new Set(keys).size).toBe(keys.length)
})

test('stored previews are readable only by the server, and their size is limited', async () => {
  const cache = cacheIn('kept', 1000)
  const bytes = new Uint8Array(300)
  for (const key of ['a', 'b', 'c', 'd', 'e']) await cache.put(key, { bytes, type: 'image/jpeg' })
  const at = join(folder.path, 'kept')
  const sizes = readdirSync(at).map((name) => statSync(join(at, name)))
  expect(sizes.reduce((sum, { size }) => sum + size, 0)).toBeLessThanOrEqual(1000)
  expect(new Set(sizes.map(({ mode }) => mode & 0o777))).toEqual(new Set([0o600]))
  expect(statSync(at).mode & 0o777).toBe(0o700)
  expect(await cache.find('e')).toMatchObject({ type: 'image/jpeg' })
  await cache.put('huge', { bytes: new Uint8Array(1001), type: 'image/jpeg' })
  expect(await cache.find('huge')).toBeUndefined()
})

test('a file without a picture is tried once, until it changes', async () => {
  const tried: string[] = []
  const noFrames: PictureExtractor = async (_, name) => {
    tried.push(name)
    return undefined
  }
  const previews = new Previews(cacheIn('cache', 0), '/served', 1, {
    svgRenderer: new SvgRenderer(['false']),
    frames: noFrames,
  })
  const path = film('silent.mp3')
  expect(await code(draw(previews, path))).toBe('unprocessable')
  expect(await code(draw(previews, path))).toBe('unprocessable')
  expect(tried).toEqual(['silent.mp3'])
  writeFileSync(join(folder.path, 'root', 'silent.mp3'), 'another content')
  expect(await code(draw(previews, path))).toBe('unprocessable')
  expect(tried).toHaveLength(2)
})

test('without a program a PDF or document has no preview, and with one each has its own @spec-7.24', async () => {
  const pages: PictureExtractor = async (_, name) => {
    asked.push(`page of ${name}`)
    return frame
  }
  const svgRenderer = new SvgRenderer(['false'])
  const cache = cacheIn('cache', 0)
  const plain = new Previews(cache, '/served', 1, { svgRenderer, frames })
  expect([
    plain.hasPreview('pdf', 'file'),
    plain.hasPreview('video', 'file'),
    plain.hasPreview('text', 'file'),
    plain.hasPreview('blob', 'file'),
    plain.hasPreview('blob', 'letter.doc'),
  ]).toEqual([false, true, true, false, false])
  const previews = new Previews(cache, '/served', 1, { svgRenderer, frames: undefined, pages })
  expect([previews.hasPreview('pdf', 'file'), previews.hasPreview('video', 'file')]).toEqual([
    true,
    false,
  ])
  expect(await code(draw(previews, film('a.pdf')))).toBe('no fault')
  const documents = pages
  const rendering = new Previews(cache, '/served', 1, { svgRenderer, frames: undefined, documents })
  expect([rendering.hasPreview('pdf', 'file'), rendering.hasPreview('blob', 'letter.doc')]).toEqual(
    [false, true],
  )
  expect(await code(draw(rendering, film('b.doc')))).toBe('no fault')
  expect(asked).toEqual(['page of a.pdf', 'page of b.doc'])
})

test('the number of remembered preview failures is limited, and a busy server is not one @limit-84', () => {
  const failures = new PreviewFailures()
  for (let number = 0; number <= SERVER_LIMITS.previewFailures; number += 1) {
    failures.add(`${number}`, new Fault('unprocessable', 'No picture.'))
  }
  expect(failures.find('0')).toBeUndefined()
  expect(failures.find('1')?.code).toBe('unprocessable')
  failures.add('busy', new Fault('unavailable', 'Busy.'))
  expect(failures.find('busy')).toBeUndefined()
})
