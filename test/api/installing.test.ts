/** The installable app: manifest, icons and service worker, below any base URL. */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import sharp from 'sharp'
import { manifest as built } from '#server/web/manifest.ts'
import { temporaryFolder } from '../support/files/tree.ts'
import { startServer, type TestServer } from '../support/server/server.ts'

const BASE = '/my/drive'
const isBuilt = built.page !== undefined

let server: TestServer
let brand: ReturnType<typeof temporaryFolder>
beforeAll(async () => {
  brand = temporaryFolder()
  mkdirSync(join(brand.path, 'img'))
  server = await startServer({
    args: ['--base-url', BASE],
    env: {
      FILEMGR_BRANDING_NAME: 'Fjord & "Sons"',
      FILEMGR_BRANDING_COLOR: 'teal',
      FILEMGR_BRANDING_FILES: brand.path,
    },
  })
})
afterAll(async () => {
  await server.stop()
  brand.remove()
})

const get = (path: string) => fetch(new URL(path, server.url))

interface Manifest {
  name: string
  theme_color: string
  icons: { src: string; sizes: string; type: string }[]
}

async function readManifest(): Promise<Manifest> {
  const answer = await get(`${BASE}/manifest.webmanifest`)
  expect(answer.status).toBe(200)
  expect(answer.headers.get('content-type')).toBe('application/manifest+json')
  // The server writes it from this shape and more.
  return (await answer.json()) as Manifest
}

test('the manifest has the name and the colour of the instance @spec-10.11', async () => {
  expect(await readManifest()).toMatchObject({
    name: 'Fjord & "Sons"',
    theme_color: 'teal',
    start_url: `${BASE}/`,
    scope: `${BASE}/`,
  })
  const page = await (await get(`${BASE}/login`)).text()
  expect(page).toContain('<meta name="theme-color" content="teal">')
})

test.if(isBuilt)('every icon has the size that the manifest declares', async () => {
  for (const { src, sizes, type } of (await readManifest()).icons) {
    const answer = await get(src)
    expect(answer.status).toBe(200)
    expect(answer.headers.get('content-type')).toStartWith(type)
    // Other tests of this process may have blocked SVG in sharp.
    if (sizes === 'any') expect(await answer.text()).toStartWith('<svg ')
    else {
      const { width, height } = await sharp(await answer.arrayBuffer()).metadata()
      expect(`${width}x${height}`).toBe(sizes)
    }
  }
  const touch = await get(`${BASE}/static/img/apple-touch-icon.png`)
  expect(touch.headers.get('content-type')).toBe('image/png')
})

test.if(isBuilt)(
  'the page links its manifest, and the service worker may request only this origin',
  async () => {
    const page = await (await get(`${BASE}/`)).text()
    expect(page).toContain(' href="manifest.webmanifest"')
    const worker = await get(`${BASE}/sw.js`)
    expect(worker.headers.get('content-type')).toStartWith('text/javascript')
    expect(worker.headers.get('cache-control')).toBe('no-cache')
    expect(worker.headers.get('content-security-policy')).toContain("connect-src 'self'")
  },
)

test('a logo of the operator replaces the icons of the manifest', async () => {
  expect(await (await get(`${BASE}/`)).text()).toContain('"Logo":false')
  writeFileSync(join(brand.path, 'img/logo.svg'), '<svg xmlns="http://www.w3.org/2000/svg"/>')
  expect((await readManifest()).icons.map(({ src }) => src)).toEqual([
    `${BASE}/static/img/logo.svg`,
  ])
  expect(await (await get(`${BASE}/`)).text()).toContain('"Logo":true')
})
