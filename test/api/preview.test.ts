import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import sharp from 'sharp'
import { API } from '#wire/api/routes.ts'
import { temporaryFolder } from '../support/files/tree.ts'
import { outcome } from '../support/server/client.ts'
import { openTestApp, type TestApp } from '../support/server/test-app.ts'

let app: TestApp
const cache = temporaryFolder()
beforeAll(async () => {
  app = await openTestApp({ args: ['--cache-dir', cache.path] })
})
afterAll(async () => {
  await app.stop()
  cache.remove()
})

const disk = (...names: string[]) => join(app.root, 'anna', ...names)
const get = (size: string, name: string, headers?: Record<string, string>) =>
  app.anna.call(
    'GET',
    `${API.preview}/${size}/${encodeURIComponent(name)}?inline=true&key=1`,
    undefined,
    headers,
  )
const picture = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: 'red' } })
const sizeOf = async (answer: Response) => {
  const { width, height, orientation, exif } = await sharp(await answer.bytes()).metadata()
  return { width, height, orientation, exif }
}

test('401 without a session, 403 without the right to download, a picture with it', async () => {
  writeFileSync(disk('a.png'), await picture(2000, 1000).png().toBuffer())
  const blind = await app.person(
    'blind',
    '--scope',
    '/anna',
    '--perm.download=false',
    '--perm.share=false',
  )
  expect(await outcome(app.anonymous.call('GET', `${API.preview}/thumb/a.png`))).toBe(
    '401 unauthenticated',
  )
  expect(await outcome(blind.call('GET', `${API.preview}/thumb/a.png`))).toBe('403 forbidden')
  const shown = await app.admin.call('GET', `${API.preview}/thumb/anna/a.png`)
  expect(shown.status).toBe(200)
  expect(shown.headers.get('content-security-policy')).toContain('sandbox')
})

test('every format that can be read, in both sizes, upright and without metadata @spec-7.24', async () => {
  const source = picture(2000, 1000)
    .withExif({ IFD0: { Copyright: 'somebody' } })
    .withMetadata({ orientation: 6 })
  const files = {
    'a.jpg': await source.clone().jpeg().toBuffer(),
    'a.png': await source.clone().png().toBuffer(),
    'a.webp': await source.clone().webp().toBuffer(),
    'a.avif': await source.clone().avif({ effort: 0 }).toBuffer(),
    'a.tiff': await source.clone().tiff().toBuffer(),
    'a.gif': await picture(2000, 1000).gif().toBuffer(),
    'a.svg': Buffer.from(
      '<svg xmlns="http://www.w3.org/2000/svg" width="2000" height="1000"><rect width="9" height="9"/></svg>',
    ),
  }
  for (const [name, bytes] of Object.entries(files)) {
    writeFileSync(disk(name), bytes)
    const answer = await get('thumb', name)
    expect(`${name} ${answer.status}`).toBe(`${name} 200`)
    expect(answer.headers.get('content-type')).toMatch(/^image\/(jpeg|webp)$/)
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff')
    expect(await sizeOf(answer)).toEqual({
      width: 256,
      height: 256,
      orientation: undefined,
      exif: undefined,
    })
  }
  const upright = (name: string) => ['a.jpg', 'a.tiff'].includes(name)
  for (const name of ['a.jpg', 'a.tiff', 'a.svg']) {
    const { width, height } = await sizeOf(await get('big', name))
    expect([width, height]).toEqual(upright(name) ? [540, 1080] : [1080, 540])
    const row = await sizeOf(await get('row', name))
    expect([row.width, row.height]).toEqual(upright(name) ? [240, 480] : [640, 320])
  }
})

test('a small picture is not enlarged', async () => {
  writeFileSync(disk('small.png'), await picture(20, 10).png().toBuffer())
  expect(await sizeOf(await get('big', 'small.png'))).toMatchObject({ width: 20, height: 10 })
})

test('a text is shown as a page with its first lines, which contains no markup of the text @spec-7.24', async () => {
  writeFileSync(
    disk('page.txt'),
    `First <script>alert("1")</script> & "last"\n\n\tIndented${'\nx'.repeat(9999)}`,
  )
  const answer = await get('thumb', 'page.txt')
  expect(answer.headers.get('content-type')).toBe('image/svg+xml')
  expect(answer.headers.get('content-security-policy')).toContain('sandbox')
  const svg = await answer.text()
  expect(svg).toContain('First &lt;script&gt;alert("1")&lt;/script&gt; &amp; ')
  expect(svg).toContain('    Indented')
  expect(svg).not.toContain('<script')
  expect(svg.length).toBeLessThan(4096)
  // Bytes that are no text, under the name of a text.
  writeFileSync(disk('binary.txt'), new Uint8Array([0x80, 0, 1, 2]))
  expect(await outcome(get('thumb', 'binary.txt'))).toBe('422 unprocessable')
})

test('a preview is made once and kept by content: another content is another picture', async () => {
  writeFileSync(disk('kept.png'), await picture(600, 600).png().toBuffer())
  const before = readdirSync(cache.path).length
  const all = await Promise.all(Array.from({ length: 20 }, () => get('thumb', 'kept.png')))
  expect(new Set(await Promise.all(all.map((answer) => answer.status)))).toEqual(new Set([200]))
  expect(readdirSync(cache.path).length).toBe(before + 1)
  const tag = all[0]?.headers.get('etag') ?? ''
  // A proxy that compresses makes the tag weak, and caches may send several.
  for (const tags of [tag, `W/${tag}`, `"other", ${tag}`]) {
    expect((await get('thumb', 'kept.png', { 'If-None-Match': tags })).status).toBe(304)
  }
  await app.anna.call(
    'POST',
    `${API.resources}/kept.png?override=true`,
    await picture(300, 500).png().toBuffer(),
  )
  expect((await get('thumb', 'kept.png', { 'If-None-Match': tag })).status).toBe(200)
})

describe('what is no picture', () => {
  test('a file that is not a picture, or a broken one, is refused and does not stop the server', async () => {
    writeFileSync(disk('data.bin'), 'x')
    writeFileSync(disk('broken.jpg'), 'no picture at all')
    const whole = await picture(800, 800).jpeg().toBuffer()
    writeFileSync(disk('cut.jpg'), whole.subarray(0, whole.length / 2))
    mkdirSync(disk('folder.jpg'))
    const answers = ['data.bin', 'folder.jpg', 'broken.jpg', 'cut.jpg'].map((name) =>
      outcome(get('thumb', name)),
    )
    expect(await Promise.all(answers)).toEqual([
      '415 unsupported',
      '415 unsupported',
      '422 unprocessable',
      '422 unprocessable',
    ])
    expect(await outcome(get('thumb', 'missing.jpg'))).toBe('404 notFound')
    expect(await outcome(get('huge', 'a.jpg'))).toBe('400 badRequest')
    expect(await outcome(app.anonymous.call('GET', '/health'))).toBe('200')
  })

  test('a picture bomb is refused: its size is read before its pixels @spec-7.24', async () => {
    const header = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex')
    const side = Buffer.from([0, 0, 0xc3, 0x50])
    const rest = Buffer.from([8, 2, 0, 0, 0])
    const body = Buffer.concat([Buffer.from('IHDR'), side, side, rest])
    const crc = Buffer.alloc(4)
    crc.writeUInt32BE(Bun.hash.crc32(body))
    writeFileSync(
      disk('bomb.png'),
      Buffer.concat([header.subarray(0, 12), body, crc, Buffer.from('0000000049444154', 'hex')]),
    )
    expect(await outcome(get('thumb', 'bomb.png'))).toBe('413 tooLarge')
  })
})

describe('subtitles', () => {
  const subtitle = async (name: string) => {
    const answer = await app.anna.call('GET', `${API.subtitle}/${name}?inline=true`)
    return {
      status: answer.status,
      type: answer.headers.get('content-type'),
      text: await answer.text(),
    }
  }

  test('subtitles of each kind become WebVTT @spec-7.28', async () => {
    writeFileSync(disk('a.vtt'), 'WEBVTT\n\n00:01.000 --> 00:02.000\nHello\n')
    writeFileSync(disk('a.srt'), '1\r\n00:00:01,000 --> 00:00:02,500\r\nHello<br/>world\r\n')
    const ass =
      '[Script Info]\nTitle: x\n\n[V4+ Styles]\nFormat: Name\n\n[Events]\nFormat: Layer, Start, End, Style, Name, MarginL, MarginR, MarginV, Effect, Text\nDialogue: 0,0:00:01.00,0:00:02.50,Default,,0,0,0,,{\\i1}Hello\\Nworld\n'
    writeFileSync(disk('a.ass'), ass)
    expect(await subtitle('a.vtt')).toMatchObject({ status: 200, type: 'text/vtt; charset=utf-8' })
    for (const name of ['a.srt', 'a.ass']) {
      const { text } = await subtitle(name)
      expect(text).toStartWith('WEBVTT')
      expect(text).toContain('00:00:01.000 --> 00:00:02.500\nHello\nworld')
      expect(text).not.toMatch(/undefined|\\i1/)
    }
  })

  test('subtitles run nothing: they are sandboxed and not sniffed, like all that users bring', async () => {
    const { headers } = await app.anna.call('GET', `${API.subtitle}/a.vtt`)
    expect(headers.get('content-security-policy')).toStartWith("sandbox; default-src 'none'")
    expect(headers.get('x-content-type-options')).toBe('nosniff')
  })

  test('only subtitles by name are converted, and only for those who may download', async () => {
    writeFileSync(disk('a.txt'), 'x')
    expect((await subtitle('a.txt')).status).toBe(400)
    expect((await subtitle('missing.srt')).status).toBe(404)
    expect(await outcome(app.anonymous.call('GET', `${API.subtitle}/a.srt`))).toBe(
      '401 unauthenticated',
    )
  })
})
