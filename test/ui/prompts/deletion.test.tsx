/** What the question about a deletion says in folders with and without a trash. */
import { afterAll, afterEach, beforeAll, expect, test } from 'bun:test'
import type { Entry } from '#wire/api/entry.ts'
import type { JobPlan } from '#wire/api/jobs.ts'
import { API } from '#wire/api/routes.ts'
import { nameOf, parsePath } from '#wire/paths.ts'
import { type Peer, refusal } from '../uploads/peer.ts'
import { openReactPage, type ReactPage } from '../uploads/react-page.ts'

let peer: Peer
let page: ReactPage
let act: typeof import('react').act
let prompts: typeof import('#ui/state/dialogs/prompts.ts')
let session: typeof import('#ui/state/session/session.ts').session
let settings: typeof import('#ui/state/session/settings.ts').settings
let keepsDeleted: boolean
let unmount: () => void

beforeAll(async () => {
  page = await openReactPage()
  ;({ act, peer } = page)
  prompts = await import('#ui/state/dialogs/prompts.ts')
  ;({ session } = await import('#ui/state/session/session.ts'))
  ;({ settings } = await import('#ui/state/session/settings.ts'))
  keepsDeleted = settings.KeepsDeleted
  settings.KeepsDeleted = false
  const { PromptStack } = await import('#ui/features/prompts/PromptStack.tsx')
  unmount = await page.mount(<PromptStack />)
})

afterAll(async () => {
  await act(() => unmount())
  settings.KeepsDeleted = keepsDeleted
  session.user = null
  await page.close()
})

afterEach(async () => {
  await act(() => prompts.dismiss())
  peer.intercept = () => undefined
})

const PERMANENT = 'deleted permanently and cannot be restored'
const entry = (path: string): Entry => ({
  path: parsePath(path),
  name: nameOf(parsePath(path)),
  size: 10,
  extension: '',
  modified: '2026-01-02T12:00:00Z',
  mode: 0,
  isDir: false,
  isSymlink: false,
  type: 'text',
})

const PLAN: JobPlan = {
  tag: 'tag',
  kind: 'delete',
  to: '',
  files: 7,
  folders: 0,
  bytes: 70,
  isPartial: false,
  isLarge: true,
  isInstant: true,
  taken: 0,
  replaced: 0,
  refused: 0,
  free: 0,
  freeAfter: 0,
  items: [],
}

const text = () => document.querySelector('dialog')?.textContent ?? ''

async function ask(userId: number, ...paths: string[]): Promise<void> {
  session.user = { id: userId } as never
  await act(() => prompts.dismiss())
  peer.calls.length = 0
  await act(async () => void prompts.ask({ name: 'delete', entries: paths.map(entry) }))
  while (!peer.calls.includes(`GET ${API.trashExcept}`)) await act(() => Bun.sleep(1))
}

test('the question says that a deletion is permanent only where there is no trash', async () => {
  peer.intercept = (_, call) =>
    call === `GET ${API.trashExcept}` ? Response.json(['/scratch']) : undefined
  await ask(1, '/docs/a')
  while (!text().includes('It goes to the trash.')) await act(() => Bun.sleep(1))
  await ask(1, '/scratch/a')
  expect(text()).toContain(`It is ${PERMANENT}.`)
  await ask(1, '/scratch', '/docs')
  expect(text()).toContain(`Some items are ${PERMANENT}. The others go to the trash.`)
})

test('the question says that the content of a folder is deleted too, but not that of a link to one', async () => {
  peer.intercept = (_, call) =>
    call === `GET ${API.trashExcept}` ? Response.json(['/']) : undefined
  const askFor = async (isSymlink: boolean) => {
    await act(() => prompts.dismiss())
    const folder = { ...entry('/docs'), isDir: true, isSymlink }
    await act(async () => void prompts.ask({ name: 'delete', entries: [folder] }))
    while (!text().includes(PERMANENT)) await act(() => Bun.sleep(1))
  }
  session.user = { id: 6 } as never
  await askFor(false)
  expect(text()).toContain('The folder and everything in it are')
  await askFor(true)
  expect(text()).toContain(`It is ${PERMANENT}.`)
})

/** The names in a list of the dialog. */
const listed = (list: Element | null | undefined) =>
  [...(list?.querySelectorAll('li') ?? [])].map((row) => row.querySelector('.Name')?.textContent)

test('a question about items of both kinds lists those that are deleted permanently', async () => {
  peer.intercept = (_, call) =>
    call === `GET ${API.trashExcept}` ? Response.json(['/scratch', '/raw']) : undefined
  await ask(3, '/docs', '/raw', '/scratch', ...Array.from('abcdef', (name) => `/${name}`))
  const list = (label: string) => document.querySelector(`ul[aria-label="${label}"]`)
  while (!list('Moved to the trash')) await act(() => Bun.sleep(1))
  expect(listed(list('Deleted permanently'))).toEqual(['raw', 'scratch'])
  expect(listed(list('Moved to the trash'))).toEqual(['docs', 'a', 'b', 'c', undefined])
  expect(text()).toContain('and 3 more')
})

test('the plan of a deletion lists the items that are deleted permanently', async () => {
  const paths = ['/docs', '/raw/a', '/raw/b', '/raw/c', '/raw/d', '/raw/e', '/raw/f']
  peer.intercept = (_, call) =>
    call === `GET ${API.trashExcept}` ? Response.json(['/raw']) : undefined
  session.user = { id: 4 } as never
  const question = {
    name: 'plan',
    plan: PLAN,
    paths,
    entryName: '',
    count: 7,
    isNew: false,
  } as const
  await act(async () => void prompts.ask(question))
  const list = () => document.querySelector('.PlanCard__names')
  while (!list()) await act(() => Bun.sleep(1))
  expect(listed(list())).toEqual(['a', 'b', 'c', 'd', undefined])
  expect(text()).toContain('Deleted permanently')
  expect(text()).toContain('and 2 more')
})

test('until the folders of this user are known, the question says permanently', async () => {
  peer.intercept = (_, call) =>
    call === `GET ${API.trashExcept}` ? Response.json(['/scratch']) : undefined
  await ask(5, '/docs/a')
  while (!text().includes('It goes to the trash.')) await act(() => Bun.sleep(1))
  peer.intercept = (_, call) =>
    call === `GET ${API.trashExcept}` ? refusal(503, 'unavailable') : undefined
  await ask(2, '/docs/a')
  expect(text()).toContain(`It is ${PERMANENT}.`)
})
