/** Uppy, from its package, uploads to the server in a browser. */
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { API } from '#wire/api/routes.ts'
import { temporaryFolder } from '../../../support/files/tree.ts'
import { signIn } from '../../../support/server/client.ts'
import { expect, test } from '../../fixtures.ts'

const SIZE = 3 * 2 ** 20
const CHUNK = 2 ** 19
const SOURCE = new URL('../../../support/clients/uppy-page.ts', import.meta.url).pathname
const BUN = new URL('../../../../node_modules/.bin/bun', import.meta.url).pathname

/** @returns the program of the page, for a browser */
function bundled(): string {
  const folder = temporaryFolder()
  const file = join(folder.path, 'uppy.js')
  execFileSync(BUN, ['build', SOURCE, '--target=browser', `--outfile=${file}`])
  const program = readFileSync(file, 'utf8')
  folder.remove()
  return program
}

test('Uppy uploads, pauses and resumes, and the file is what it sent', async ({ page, server }) => {
  const { token } = await signIn(server.url, server.username, server.password)
  await page.route('**/uppy.html', (route) =>
    route.fulfill({ contentType: 'text/html', body: '<script src="uppy.js"></script>' }),
  )
  await page.route('**/uppy.js', (route) =>
    route.fulfill({ contentType: 'text/javascript', body: bundled() }),
  )
  const offsets: number[] = []
  page.on('request', (request) => {
    if (request.method() === 'PATCH') offsets.push(Number(request.headers()['upload-offset']))
  })
  await page.goto('./uppy.html')
  const options = { endpoint: `${server.url}${API.tus}/`, token, name: 'from uppy.bin' }
  const sizes = { sizeBytes: SIZE, chunkBytes: CHUNK }
  const result = await page.evaluate((all) => window.uploadWithUppy(all), { ...options, ...sizes })
  expect(result).toEqual({ successful: ['from uppy.bin'], failed: [] })
  const sent = readFileSync(join(server.root, 'from uppy.bin'))
  expect(sent.equals(Buffer.from(Uint8Array.from({ length: SIZE }, (_, at) => at)))).toBe(true)
  // Nothing was sent from the beginning again.
  expect(offsets.filter((offset) => offset === 0)).toHaveLength(1)
})
