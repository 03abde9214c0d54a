/** Thumbnails of vector drawings (SVG): small files can need unlimited time. */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { thumbnail } from '#server/files/previews/thumbnails.ts'
import { API } from '#wire/api/routes.ts'
import { outcome } from '../support/server/client.ts'
import { openTestApp, type TestApp } from '../support/server/test-app.ts'

let app: TestApp
beforeAll(async () => {
  app = await openTestApp()
})
afterAll(() => app.stop())

const svg = (content: string) =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="64" height="64">${content}</svg>`
const put = (name: string, content: string) =>
  writeFileSync(join(app.root, 'anna', name), svg(content))
const thumb = (name: string) => app.anna.call('GET', `${API.preview}/thumb/${name}`)

/** Each level draws the one below ten times. */
function endless(levels: number): string {
  const groups = Array.from({ length: levels }, (_, level) => {
    const use = `<use href="#g${level}"/>`.repeat(10)
    return `<g id="g${level + 1}">${use}</g>`
  })
  const first = '<circle id="g0" r="30" filter="url(#f)"/>'
  const filter = '<filter id="f"><feGaussianBlur stdDeviation="9"/></filter>'
  return `<defs>${filter}${first}${groups.join('')}</defs><use href="#g${levels}"/>`
}

test('a drawing has a thumbnail', async () => {
  put('plain.svg', '<rect width="64" height="64" fill="red"/>')
  const answer = await thumb('plain.svg')
  expect(answer.status).toBe(200)
  expect(answer.headers.get('content-type')).toMatch(/^image\//)
  expect((await answer.arrayBuffer()).byteLength).toBeGreaterThan(50)
})

test('a drawing whose file is too large is not drawn', async () => {
  put('large.svg', '<rect width="9" height="9"/>'.repeat(400_000))
  expect(await outcome(thumb('large.svg'))).toBe('413 tooLarge')
})

test('a drawing that takes too long is aborted, and delays no other request @limit-68', async () => {
  for (const name of ['a', 'b']) put(`${name}.svg`, endless(8))
  const drawings = ['a', 'b'].map((name) => outcome(thumb(`${name}.svg`)))
  // Each of these needs a thread, which a drawing in the server would hold.
  const others = await Promise.all(
    Array.from({ length: 8 }, (_, number) =>
      outcome(app.anna.call('POST', `${API.resources}/other${number}`, 'x')),
    ),
  )
  expect(new Set(others)).toEqual(new Set(['200']))
  expect(await outcome(app.anna.call('GET', `${API.raw}/other0`))).toBe('200')
  expect(new Set(await Promise.all(drawings))).toEqual(new Set(['422 unprocessable']))
}, 180_000)

test('no drawing is read in the process of the server, whatever its name is', async () => {
  // Without a size of its own it would have to be drawn to tell how large it is.
  const content = `<svg xmlns="http://www.w3.org/2000/svg">${endless(8)}</svg>`
  writeFileSync(join(app.root, 'anna/unsized.svg'), content)
  writeFileSync(join(app.root, 'anna/disguised.png'), content)
  for (const name of ['unsized.svg', 'disguised.png']) {
    expect(await outcome(app.anna.call('GET', `${API.resources}/${name}`))).toBe('200')
  }
  expect(await outcome(thumb('disguised.png'))).toBe('422 unprocessable')
  const input = new TextEncoder().encode(svg('<rect/>'))
  const box = { width: 64, height: 64, fit: 'cover' } as const
  await expect(thumbnail(input, box)).rejects.toMatchObject({ code: 'unprocessable' })
})
