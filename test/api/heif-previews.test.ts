/** Previews of HEIC pictures, where a program of libheif is on the machine. */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import sharp from 'sharp'
import { API } from '#wire/api/routes.ts'
import { outcome } from '../support/server/client.ts'
import { openTestApp, type TestApp } from '../support/server/test-app.ts'

const encoder = Bun.which('heif-enc')
const decoder = Bun.which('heif-dec') ?? Bun.which('heif-convert')
const isAbsent = encoder === null || decoder === null

let app: TestApp
const disk = (name: string) => join(app.root, 'anna', name)
const preview = (name: string, size = 'thumb', who = app.anna) =>
  who.call('GET', `${API.preview}/${size}/${encodeURIComponent(name)}`)

beforeAll(async () => {
  app = await openTestApp()
})
afterAll(() => app.stop())

/**
 * Writes a picture, red above blue, that is turned clockwise by 90 degrees when it is shown: as phones do, it has a box for
 * the rotation, and the orientation in its Exif metadata, which does not count (ISO 23008-12, 7.2.2).
 */
async function writeHeic(name: string): Promise<void> {
  const half = (background: string) => ({
    input: { create: { width: 640, height: 240, channels: 3, background } } as const,
    left: 0,
  })
  const blank = { create: { width: 640, height: 480, channels: 3, background: 'white' } } as const
  const halves = [
    { ...half('red'), top: 0 },
    { ...half('blue'), top: 240 },
  ]
  const jpeg = join(app.root, 'source.jpg')
  await sharp(blank).composite(halves).withMetadata({ orientation: 6 }).jpeg().toFile(jpeg)
  execFileSync(encoder ?? '', [jpeg, '-o', disk(name)], { stdio: 'pipe' })
  const file = readFileSync(disk(name))
  // The number of bits of a channel is known without its box, and no other box has to move.
  const at = file.indexOf('pixi')
  file.write('irot', at)
  file[at + 4] = 3
  writeFileSync(disk(name), file)
}

test.skipIf(isAbsent)(
  'a HEIC picture has previews in all sizes, upright, whatever its name is @spec-7.24',
  async () => {
    for (const name of ['photo.heic', '-q 9 ü.HEIF']) {
      await writeHeic(name)
      for (const [size, width, height] of [
        ['thumb', 256, 256],
        ['big', 480, 640],
      ] as const) {
        const response = await preview(name, size)
        expect([response.status, response.headers.get('content-type')]).toEqual([200, 'image/jpeg'])
        const picture = sharp(await response.bytes())
        const { width: wide, height: high } = await picture.metadata()
        expect([wide, high]).toEqual([width, height])
        // The upper half is at the right after a quarter turn.
        const side = { left: width - 20, top: 20, width: 10, height: height - 40 }
        const { dominant } = await sharp(await picture.extract(side).toBuffer()).stats()
        expect(dominant.r).toBeGreaterThan(200)
      }
      const facts = await app.anna.call('GET', `${API.media}/${encodeURIComponent(name)}`)
      expect(await facts.json()).toMatchObject({ width: 480, height: 640 })
    }
  },
  60_000,
)

test.skipIf(isAbsent)(
  'a damaged HEIC file is refused, and so is a user who may not download',
  async () => {
    writeFileSync(disk('broken.heic'), 'no picture')
    expect(await outcome(preview('broken.heic'))).toBe('422 unprocessable')
    await writeHeic('mine.heic')
    const reader = await app.withoutDownload()
    expect(await outcome(preview('mine.heic', 'thumb', reader))).toBe('403 forbidden')
  },
  60_000,
)
