import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'bun:test'
import type { FileEntry } from '#wire/api/entry.ts'
import { permissionsOf } from '#wire/permissions.ts'
import { refusal } from '../../uploads/peer.ts'
import { openReactPage, type ReactPage } from '../../uploads/react-page.ts'

let page: ReactPage
let unmount: () => void = () => undefined
let retries = 0

const fileOf = (name: string) =>
  ({
    ...{ path: `/${name}`, name, extension: '', size: 9, modified: '2026-01-02T12:00:00Z' },
    ...{ isDir: false, isSymlink: false, mode: 0, type: 'video' },
  }) as unknown as FileEntry

beforeAll(async () => {
  page = await openReactPage()
})
afterAll(async () => {
  const { session } = await import('#ui/state/session/session.ts')
  session.user = null
  await page.close()
})
beforeEach(async () => {
  retries = 0
  const { session } = await import('#ui/state/session/session.ts')
  // The card only reads the rights of the user.
  session.user = { id: 1, perm: permissionsOf('admin') } as never
})
afterEach(async () => {
  await page.act(async () => unmount())
  document.body.replaceChildren()
})

/** Shows the film with the response of the server about it. */
async function show(name: string, isCut: boolean, response: () => Response) {
  page.peer.intercept = (_, call) => (call.includes('/api/media/') ? response() : undefined)
  const { BrokenMedia } = await import('#ui/features/preview/BrokenMedia.tsx')
  const reason = { isCut, otherwise: 'viewer.noFilm' } as const
  const onRetry = () => {
    retries += 1
  }
  unmount = await page.mount(<BrokenMedia file={fileOf(name)} {...reason} onRetry={onRetry} />)
}

async function hint(): Promise<string> {
  for (;;) {
    const text = document.querySelector('.FallbackCard__hint')?.textContent
    if (text) return text
    await page.act(() => Bun.sleep(1))
  }
}

const retryButton = () =>
  [...document.querySelectorAll('button')].find((one) => one.textContent === 'Try again')

test.each([
  ['a.mp4', false, () => Response.json({ seconds: 9 }), 'cannot play this video format', false],
  ['a.mp4', false, () => Response.json({}), 'is damaged', false],
  ['a.avi', false, () => Response.json({}), 'cannot play this video format', false],
  ['a.mp4', true, () => Response.json({ seconds: 9 }), 'The server cannot be reached', true],
  ['a.mp4', false, () => refusal(502), 'The server', true],
  ['a.avi', false, () => refusal(404, 'notFound'), 'no longer exists', true],
  ['a.mp4', true, () => refusal(429, 'tooMany'), 'Too many requests', true],
] as const)('%s, cut: %p, response %p: the card says %p; retry: %p', async (...row) => {
  const [name, isCut, response, words, mayRetry] = row
  await show(name, isCut, response)
  expect(await hint()).toContain(words)
  expect(retryButton() !== undefined).toBe(mayRetry)
  await page.act(async () => retryButton()?.click())
  expect(retries).toBe(mayRetry ? 1 : 0)
})

test('the player is shown again after the user has signed in again', async () => {
  await show('a.mp4', false, () => {
    localStorage.setItem('jwt', 'another')
    return Response.json({ seconds: 9 })
  })
  while (retries === 0) await page.act(() => Bun.sleep(1))
  expect(document.querySelector('.FallbackCard__hint')).toBeNull()
})
