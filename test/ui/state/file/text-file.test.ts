import { expect, test } from 'bun:test'
import '../../browser.ts'
import { readUnopenedText } from '#ui/state/file/text-file.ts'
import { FAULT_HEADER } from '#wire/api/session.ts'
import { parsePath } from '#wire/paths.ts'
import { sentRequests, serve } from '../../browser.ts'

const PATH = parsePath('/docs/README.md')

test('a text in another encoding is read without a request that counts as an opening', async () => {
  const headers = { 'Content-Type': 'application/octet-stream' }
  serve(() => new Response(new Uint8Array([0x63, 0x61, 0x66, 0xe9]), { headers }))
  expect(await readUnopenedText(PATH)).toBe('café')
  expect(sentRequests.map(({ method, url }) => `${method} ${url}`)).toEqual([
    'GET /api/resources/docs/README.md',
  ])
})

test('the text that the server has decoded is shown, without a byte order mark', async () => {
  serve(() => Response.json({ path: PATH, content: '\uFEFFcafé' }))
  expect(await readUnopenedText(PATH)).toBe('café')
})

test('a file that no longer exists has no text', async () => {
  serve(() => new Response('', { status: 404, headers: { [FAULT_HEADER]: 'notFound' } }))
  expect(await readUnopenedText(PATH)).toBeNull()
})
