/** The input, environment, limits and output of the process that renders an SVG file. */
import { expect, test } from 'bun:test'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { SvgRenderer } from '#server/files/previews/svg-renderer.ts'
import { temporaryFolder } from '../../../support/files/tree.ts'

const SIZE = { width: 8, height: 8, fit: 'cover' } as const
const input = async () => new TextEncoder().encode('<svg/>')
const by = (script: string) => new SvgRenderer(['sh', '-c', script])
const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes)

test('the renderer responds with the type in one line and then the bytes, and anything else is not a picture', async () => {
  const drawn = await by('echo image/webp; cat').render(input, SIZE)
  expect([drawn.type, text(drawn.bytes)]).toEqual(['image/webp', '<svg/>'])
  for (const script of ['exit 0', 'printf image/webp', 'echo image/webp; exit 1']) {
    await expect(by(script).render(input, SIZE)).rejects.toMatchObject({ code: 'unprocessable' })
  }
})

test('the renderer of SVG drawings does not get the server’s environment', async () => {
  process.env.SECRET_OF_THE_SERVER = 'x'
  const drawn = await by('echo text; env').render(input, SIZE)
  delete process.env.SECRET_OF_THE_SERVER
  expect(text(drawn.bytes)).toContain('PATH=')
  expect(text(drawn.bytes)).not.toContain('SECRET')
})

test('a renderer with too much output is ended', async () => {
  const loud = by('echo image/webp; exec cat /dev/zero')
  await expect(loud.render(input, SIZE)).rejects.toMatchObject({ code: 'unprocessable' })
})

test('the renderer’s memory is limited for every drawing @limit-68', async () => {
  // In KiB: the data segment, as the shell says it (setrlimit(2), RLIMIT_DATA).
  const drawn = await by('echo text; ulimit -d').render(input, SIZE)
  expect(text(drawn.bytes).trim()).toBe(String(768 * 1024))
})

test('one drawing is drawn at a time', async () => {
  const folder = temporaryFolder()
  const [log, go] = [join(folder.path, 'log'), join(folder.path, 'go')]
  const svgRenderer = by(
    `echo . >> ${log}; while [ ! -e ${go} ]; do sleep 0.01; done; echo image/webp`,
  )
  const all = [1, 2, 3].map(() => svgRenderer.render(input, SIZE))
  while (!existsSync(log)) await Bun.sleep(5)
  // If two were rendered at a time, the second one would begin while this other renderer starts and ends a process.
  await by('echo image/webp').render(input, SIZE)
  expect(readFileSync(log, 'utf8')).toBe('.\n')
  writeFileSync(go, '')
  await Promise.all(all)
  expect(readFileSync(log, 'utf8')).toBe('.\n.\n.\n')
  folder.remove()
})
