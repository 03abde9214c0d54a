/** Files that are dragged from the desktop to the page. */
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'bun:test'
import { ROOT } from '#wire/paths.ts'
import { permissionsOf } from '#wire/permissions.ts'
import type { Peer } from './peer.ts'
import { openReactPage, type ReactPage } from './react-page.ts'

let peer: Peer
let page: ReactPage
let act: typeof import('react').act
let prompts: typeof import('#ui/state/dialogs/prompts.ts')
let session: typeof import('#ui/state/session/session.ts').session
let unmount: () => void

beforeAll(async () => {
  page = await openReactPage()
  ;({ act, peer } = page)
  prompts = await import('#ui/state/dialogs/prompts.ts')
  ;({ session } = await import('#ui/state/session/session.ts'))
})

afterAll(async () => {
  session.user = null
  await page.close()
})

beforeEach(async () => {
  signInAs(7)
  const { loadListing } = await import('#ui/state/folder/listing.ts')
  await loadListing(ROOT)
  const { DropZone } = await import('#ui/features/drop-zone/DropZone.tsx')
  unmount = await page.mount(<DropZone folder={ROOT}>{null}</DropZone>)
  peer.calls.length = 0
})

afterEach(async () => {
  const { clearTasks } = await import('#ui/uploads/queue/signals.ts')
  await act(() => {
    prompts.dismiss()
    clearTasks()
    unmount()
  })
  document.body.replaceChildren()
  peer.files.clear()
})

/** The page only reads the id and the rights of the user. */
function signInAs(id: number): void {
  session.user = { id, perm: permissionsOf('admin') } as never
}

/** Sends an event of a drag with one file. The browser reads the file when `read` resolves. */
async function drag(type: 'dragover' | 'drop', read: Promise<unknown> = Promise.resolve()) {
  const entry = {
    name: 'a.txt',
    isFile: true,
    isDirectory: false,
    file: (done: (file: File) => void) => void read.then(() => done(new File(['a'], 'a.txt'))),
  }
  const item = { kind: 'file', webkitGetAsEntry: () => entry }
  const dataTransfer = { types: ['Files'], items: [item], files: [], dropEffect: '' }
  const event = Object.assign(new Event(type, { bubbles: true, cancelable: true }), {
    dataTransfer,
  })
  await act(async () => void document.body.dispatchEvent(event))
  return dataTransfer
}

const shownText = () => document.querySelector('.DropZone__text')?.textContent

test('dropped files are uploaded as the user who dropped them', async () => {
  await drag('drop')
  await uploaded()
  expect([...peer.files.keys()]).toEqual(['/a.txt'])
})

test('dropped files are not uploaded as another user who signs in while the browser reads them', async () => {
  const read = Promise.withResolvers<void>()
  await drag('drop', read.promise)
  signInAs(8)
  // The page lists the folder again, for the new user.
  while (!peer.calls.includes('GET /api/resources/')) await act(() => Bun.sleep(1))
  await act(async () => read.resolve())
  await act(() => Bun.sleep(10))
  expect(peer.calls.filter((call) => !call.startsWith('GET /api/usage/'))).toEqual([
    'GET /api/resources/',
  ])
})

test('the destination is not shown while a dialog is open, because nothing can be dropped then', async () => {
  expect((await drag('dragover')).dropEffect).toBe('copy')
  expect(shownText()).toContain('My files')
  await act(async () => void prompts.ask({ name: 'import', folder: ROOT } as never))
  expect((await drag('dragover')).dropEffect).toBe('none')
  expect(shownText()).toBeUndefined()
})

/** Waits until a file has arrived at the server. */
async function uploaded(): Promise<void> {
  while (peer.files.size === 0) await act(() => Bun.sleep(1))
}
