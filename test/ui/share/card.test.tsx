import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'bun:test'
import type { Share } from '#wire/api/share.ts'
import { parsePath } from '#wire/paths.ts'
import { permissionsOf } from '#wire/permissions.ts'
import type { Peer } from '../uploads/peer.ts'
import { openReactPage, type ReactPage } from '../uploads/react-page.ts'

let peer: Peer
let page: ReactPage
let act: typeof import('react').act
let prompts: typeof import('#ui/state/dialogs/prompts.ts')
let shares: typeof import('#ui/state/sharing/shares.ts')
let unmount: () => void
/** The requests that created shares. */
let sent: unknown[] = []

const FOLDER = parsePath('/docs')
const link = (changes: Partial<Share> = {}): Share => ({
  hash: 'abc',
  path: '/docs/',
  userID: 1,
  expire: 0,
  hasPassword: false,
  visits: 0,
  ...changes,
})

beforeAll(async () => {
  page = await openReactPage()
  ;({ act, peer } = page)
  prompts = await import('#ui/state/dialogs/prompts.ts')
  shares = await import('#ui/state/sharing/shares.ts')
  const { session } = await import('#ui/state/session/session.ts')
  // The card only reads which shares are the user's own.
  session.user = { id: 1, perm: permissionsOf('admin') } as never
  peer.intercept = async (request, call) => {
    if (!call.includes('/api/share/')) return undefined
    if (request.method === 'DELETE') return new Response('200 OK')
    sent.push(await request.json())
    return Response.json(link({ hash: 'made' }))
  }
})

afterAll(async () => {
  const { session } = await import('#ui/state/session/session.ts')
  session.user = null
  await page.close()
})

beforeEach(async () => {
  sent = []
  const { PromptStack } = await import('#ui/features/prompts/PromptStack.tsx')
  unmount = await page.mount(<PromptStack />)
})

afterEach(async () => {
  await act(() => {
    prompts.dismiss()
    unmount()
  })
  document.body.replaceChildren()
})

async function open(...links: Share[]): Promise<void> {
  shares.shares.items = links
  await act(async () => void prompts.ask({ name: 'share', path: FOLDER, isDir: true }))
  while (!document.querySelector('dialog')) await act(() => Bun.sleep(1))
}

const find = (selector: string) => {
  const found = [...document.querySelectorAll<HTMLElement>(`dialog ${selector}`)].at(-1)
  if (!found) throw new Error(`Nothing is ${selector}`)
  return found
}
const titled = () => find('h2').textContent
const button = (words: string) => {
  const all = [...document.querySelectorAll<HTMLButtonElement>('dialog button')]
  const found = all.findLast(
    (one) => one.textContent === words || one.getAttribute('aria-label') === words,
  )
  if (!found) throw new Error(`No button says ${words}`)
  return found
}
const press = (words: string) => act(async () => button(words).click())

/** Types a text. React notices a new value only if it is set by the setter of the prototype, as browsers do. */
async function type(selector: string, words: string): Promise<void> {
  const input = find(selector)
  const setter = Object.getOwnPropertyDescriptor(Object.getPrototypeOf(input), 'value')?.set
  await act(async () => {
    setter?.call(input, words)
    input.dispatchEvent(new Event('input', { bubbles: true }))
  })
}

/** Clicks the radio button of a duration. */
const choose = (words: string) =>
  act(async () => {
    const labels = [...document.querySelectorAll<HTMLElement>('dialog label')]
    labels
      .find((label) => label.textContent === words)
      ?.querySelector('input')
      ?.click()
  })

/** Submits the form and waits for the share. */
async function submit(): Promise<void> {
  await act(async () => document.querySelector<HTMLFormElement>('dialog form')?.requestSubmit())
  while (shares.shares.items.length === 0) await act(() => Bun.sleep(1))
}

test('without a share the form opens at once, and cancelling it closes the prompt', async () => {
  await open()
  expect(titled()).toBe('New link to “docs”')
  await press('Cancel')
  expect(prompts.prompts.stack).toHaveLength(0)
})

test('cancelling the form shows the shares again @spec-4.4', async () => {
  await open(link())
  await press('New link')
  await press('Cancel')
  expect(titled()).toBe('Share “docs”')
})

test.each([
  ['', '', {}],
  ['0', '   ', {}],
  ['2', ' geheim ', { expires: '2', unit: 'days', password: 'geheim' }],
])('a share for %p days with the password %p is created', async (amount, password, options) => {
  await open()
  await choose('Other…')
  await type('input[inputmode]', amount)
  await type('input[type=password]', password)
  await submit()
  expect(sent).toEqual([{ ...options, showOwner: true }])
  expect(titled()).toBe('Share “docs”')
})

test.each([
  ['1 day', { expires: '1', unit: 'days' }],
  ['7 days', { expires: '7', unit: 'days' }],
  ['30 days', { expires: '30', unit: 'days' }],
  ['Never', {}],
])('the duration %s is set by one press @spec-4.4', async (words, options) => {
  await open()
  await choose(words)
  await submit()
  expect(sent).toEqual([{ ...options, showOwner: true }])
})

test.each(['-1', '1.5', 'soon', '2147483648'])(
  '%p is an invalid duration @spec-5.4',
  async (amount) => {
    await open()
    await choose('Other…')
    await type('input[inputmode]', amount)
    expect(button('Create and copy link').disabled).toBe(true)
  },
)

test('a share shows its details, and one with a password has no download URL', async () => {
  const inHours = (hours: number) => Math.floor(Date.now() / 1000) + hours * 3600
  await open(
    link({ hash: 'a', username: 'ana' }),
    link({ hash: 'b', expire: inHours(5), userID: 2, username: 'bob', visits: 1 }),
    link({ hash: 'c', expire: inHours(47), hasPassword: true, visits: 1204 }),
  )
  const facts = [...document.querySelectorAll('.ShareLink__facts')].map((one) =>
    [...one.children].map((fact) => fact.textContent),
  )
  expect(facts).toEqual([
    ['No expiry', 'No visits'],
    ['5 hours left', '1 visit', 'by bob'],
    ['Password', '2 days left', '1,204 visits'],
  ])
  expect(button('A link with a password has no download link').disabled).toBe(true)
})

test('deleting asks first; without a share left, the form is shown again', async () => {
  await open(link())
  await press('Delete link')
  await press('Cancel')
  expect(peer.calls.filter((call) => call.startsWith('DELETE'))).toEqual([])
  await press('Delete link')
  await press('Delete link')
  while (shares.shares.items.length > 0) await act(() => Bun.sleep(1))
  expect(peer.calls).toContain('DELETE /api/share/abc')
  expect(titled()).toBe('New link to “docs”')
})
