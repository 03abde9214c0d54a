import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'bun:test'
import type { GlobalSettings } from '#wire/api/settings.ts'
import type { Rule, User } from '#wire/api/user.ts'
import { permissionsOf } from '#wire/permissions.ts'
import { openReactPage, type ReactPage } from '../../uploads/react-page.ts'

let page: ReactPage
let session: typeof import('#ui/state/session/session.ts').session
let unmount: () => void = () => undefined
/** The bodies of the requests that save. */
let sent: object[] = []

/** A rule whose path the user typed without a slash, or with a space before it. */
const typed = (path: string): Rule => ({ allow: false, regex: false, path, regexp: null })
const TYPED = [typed('secret'), typed(' /private')]
const SAVED = [typed('/secret'), typed('/private')]

const DEFAULTS = {
  ...{ scope: '/', locale: 'en', viewMode: 'list', singleClick: false, dateFormat: false },
  ...{ redirectAfterCopyMove: false, hideDotfiles: false, aceEditorTheme: '', commands: [] },
  ...{ perm: permissionsOf(), sorting: { by: 'name', asc: true } },
} as const
const USER = {
  ...DEFAULTS,
  ...{ id: 2, username: 'bob', password: '', lockPassword: false, rules: TYPED },
} as unknown as User
const SETTINGS = {
  ...{ signup: false, hideLoginButton: false, createUserDir: false, userHomeBasePath: '/users' },
  ...{
    minimumPasswordLength: 12,
    publicAddress: '',
    passwordHelp: '',
    defaults: DEFAULTS,
    rules: TYPED,
    shell: [],
    commands: {},
  },
  ...{ branding: { name: '', disableExternal: false, files: '', theme: '', color: '' } },
  ...{ tus: { chunkSize: 1, retryCount: 1 } },
} as unknown as GlobalSettings

beforeAll(async () => {
  page = await openReactPage()
  ;({ session } = await import('#ui/state/session/session.ts'))
})
afterAll(async () => {
  session.user = null
  await page.close()
})

beforeEach(() => {
  sent = []
  // The forms only read the id of the user.
  session.user = { id: 1, perm: permissionsOf('admin') } as never
  page.peer.intercept = async (request, call) => {
    if (!/ \/api\/(users|settings)/.test(call)) return undefined
    if (request.method === 'GET') {
      return Response.json(call.includes('settings') ? SETTINGS : USER)
    }
    sent.push((await request.json()) as object)
    return new Response('200 OK')
  }
})
afterEach(async () => {
  await page.act(async () => unmount())
  document.body.replaceChildren()
})

/** Presses Enter in a field, which takes no focus away from it. @returns what was sent */
async function submit(): Promise<object> {
  await page.act(async () => document.querySelector('form')?.requestSubmit())
  while (sent.length === 0) await page.act(() => Bun.sleep(1))
  return sent[0] ?? {}
}

test('rules for all users are saved with a slash at the beginning', async () => {
  const { GlobalForm } = await import('#ui/features/settings/GlobalForm.tsx')
  const actions = { onSaved() {}, onDiscard() {} }
  unmount = await page.mount(<GlobalForm section="rules" saved={SETTINGS} {...actions} />)
  expect(await submit()).toMatchObject({ rules: SAVED })
})

test('rules of one user are saved with a slash at the beginning', async () => {
  const { UserForm } = await import('#ui/features/settings/users/UserForm.tsx')
  const edited = { user: USER, createsHomeFolder: false }
  unmount = await page.mount(<UserForm edited={edited} onSaved={() => undefined} />)
  expect(JSON.stringify(await submit())).toContain(JSON.stringify(SAVED))
})
