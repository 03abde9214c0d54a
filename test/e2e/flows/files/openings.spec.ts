/** What the activity records as opened: what the user opened, and nothing that the interface loads by itself. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import sharp from 'sharp'
import type { AuditEntry } from '#wire/api/audit.ts'
import { API } from '#wire/api/routes.ts'
import type { Client } from '../../../support/server/client.ts'
import { expect, test } from '../../fixtures.ts'

// The record of an administrator has what all users open.
test.use({ ownServer: true })

test('a picture is recorded as opened once it is shown, and not when it is loaded beside another', async ({
  files,
  page,
  server,
  admin,
}) => {
  const small = await picture()
  for (const name of ['a.jpg', 'b.jpg']) writeFileSync(join(server.root, name), small)
  // So large that only its preview is requested. Decoders ignore what follows the picture.
  writeFileSync(join(server.root, 'c.jpg'), Buffer.concat([small, Buffer.alloc(600 * 1024)]))
  await files.openRoot()
  await files.shows('a.jpg', 'b.jpg', 'c.jpg')
  const waitForPreview = (name: string) =>
    page.waitForResponse((response) => response.url().includes(`/api/preview/big/${name}`))
  const next = waitForPreview('b.jpg')
  await files.row('a.jpg').dblclick()
  await expect(page.getByRole('img', { name: 'a.jpg' })).toBeVisible()
  await (await next).finished()
  await expect.poll(() => openedBy(admin)).toEqual(['/a.jpg'])
  await page.keyboard.press('ArrowRight')
  await expect(page.getByRole('img', { name: 'b.jpg' })).toBeVisible()
  await expect.poll(() => openedBy(admin)).toEqual(['/a.jpg', '/b.jpg'])
  await page.keyboard.press('ArrowRight')
  await expect(page.getByRole('img', { name: 'c.jpg' })).toBeVisible()
  await expect.poll(() => openedBy(admin)).toEqual(['/a.jpg', '/b.jpg', '/c.jpg'])
})

test('a file that is opened again is the most recent one', async ({
  files,
  page,
  server,
  admin,
}) => {
  writeFileSync(join(server.root, 'a.jpg'), await picture())
  writeFileSync(join(server.root, 't.txt'), 'text')
  writeFileSync(join(server.root, 't.csv'), 'a,b\n1,2\n')
  const latest = async () => (await (await admin.call('GET', API.recent)).json())[0]?.name
  await files.openRoot()
  // The browser shows the picture again without a request.
  for (const name of ['a.jpg', 't.txt', 't.csv', 'a.jpg', 't.csv', 't.txt', 'a.jpg', 'a.jpg']) {
    await files.row(name).dblclick()
    await expect(page).toHaveURL(new RegExp(`/${name}$`))
    await expect.poll(latest).toBe(name)
    await page.goBack()
    await expect(files.row(name)).toBeVisible()
  }
})

test('a text is recorded as opened once, whatever its encoding is, and also if it is empty', async ({
  files,
  page,
  server,
  admin,
}) => {
  await files.openRoot()
  const texts = {
    'utf-8.txt': 'caf\u00e9',
    'latin.txt': Buffer.from('caf\u00e9', 'latin1'),
    'no.txt': '',
  }
  for (const [name, text] of Object.entries(texts)) writeFileSync(join(server.root, name), text)
  const requests: string[] = []
  page.on('request', (request) => {
    const { pathname } = new URL(request.url())
    if (pathname.startsWith(API.raw)) requests.push(`${request.method()} ${pathname}`)
  })
  for (const name of Object.keys(texts)) {
    await files.open(`/${name}`)
    await expect(page.locator('.cm-content')).toHaveText(name === 'no.txt' ? '' : 'caf\u00e9')
    // The next document would end the request that records this one.
    await expect.poll(() => openedBy(admin)).toContain(`/${name}`)
  }
  await expect.poll(() => openedBy(admin)).toEqual(['/utf-8.txt', '/latin.txt', '/no.txt'])
  const raw = (method: string, name: string) => `${method} ${API.raw}/${name}`
  expect(requests).toEqual([
    raw('HEAD', 'utf-8.txt'),
    raw('GET', 'latin.txt'),
    raw('HEAD', 'no.txt'),
  ])
})

test('neither a README nor its pictures are recorded as opened', async ({
  files,
  page,
  server,
  admin,
}) => {
  mkdirSync(join(server.root, 'cabin'))
  writeFileSync(join(server.root, 'cabin/house.jpg'), await picture())
  // In windows-1252, which the server itself does not decode.
  const text = '# Caf\u00e9\n\n![the house](house.jpg)'
  writeFileSync(join(server.root, 'cabin/README.md'), Buffer.from(text, 'latin1'))
  writeFileSync(join(server.root, 'cabin/plan.txt'), 'x')
  await files.open('/cabin')
  const image = page.getByRole('img', { name: 'the house' })
  await expect(image).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Caf\u00e9' })).toBeVisible()
  await expect.poll(() => image.evaluate((shown: HTMLImageElement) => shown.naturalWidth)).toBe(40)
  await admin.call('GET', `${API.raw}/cabin/plan.txt?inline=true`)
  await expect.poll(() => openedBy(admin)).toEqual(['/cabin/plan.txt'])
})

/** The paths of the files that the administrator has opened, in the order in which they were opened. */
async function openedBy(admin: Client): Promise<string[]> {
  const answer = await admin.call('GET', `${API.audit}?action=open`)
  const records: AuditEntry[] = await answer.json()
  return records.map(({ path }) => path).reverse()
}

function picture(): Promise<Buffer> {
  const create = { width: 40, height: 30, channels: 3, background: 'teal' } as const
  return sharp({ create }).jpeg().toBuffer()
}
