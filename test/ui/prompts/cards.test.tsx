import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import en from '#ui/i18n/messages/en.json'
import type { AnswerOf, PromptName, QuestionOf } from '#ui/state/dialogs/prompts.ts'
import type { AppPassword } from '#wire/api/app-passwords.ts'
import type { Entry } from '#wire/api/entry.ts'
import type { JobPlan } from '#wire/api/jobs.ts'
import { parsePath } from '#wire/paths.ts'
import { permissionsOf } from '#wire/permissions.ts'
import type { Peer } from '../uploads/peer.ts'
import { openReactPage, type ReactPage } from '../uploads/react-page.ts'

let peer: Peer
let page: ReactPage
let act: typeof import('react').act
let prompts: typeof import('#ui/state/dialogs/prompts.ts')
let session: typeof import('#ui/state/session/session.ts').session
let unmount: () => void

const FOLDER = parsePath('/docs')
const FILE = parsePath('/docs/a.txt')
const PLAN: JobPlan = {
  tag: 'tag',
  kind: 'move',
  to: '/to',
  files: 3,
  folders: 1,
  bytes: 300,
  isPartial: true,
  isLarge: true,
  isInstant: false,
  taken: 1,
  replaced: 1,
  refused: 1,
  free: 100,
  freeAfter: -200,
  items: [
    {
      path: '/a',
      part: '',
      to: '/to/a',
      isDir: true,
      files: 0,
      bytes: 0,
      taken: false,
      fault: 'forbidden',
      problem: 'No.',
    },
  ],
}
const LINK = { hash: 'abc', path: '/docs/', userID: 1, expire: 0, hasPassword: false, visits: 0 }
const COMPARISON: QuestionOf<'compareVersion'> = {
  name: 'compareVersion',
  ...{ file: FILE, when: 'yesterday', earlier: 'a', current: 'b', mayRestore: true },
}

beforeAll(async () => {
  page = await openReactPage()
  ;({ act, peer } = page)
  prompts = await import('#ui/state/dialogs/prompts.ts')
  ;({ session } = await import('#ui/state/session/session.ts'))
  for (const folder of ['/docs', '/docs/in', '/docs/out', '/docs/in/deep']) peer.folders.add(folder)
})

afterAll(async () => {
  session.user = null
  await page.close()
})

beforeEach(async () => {
  const { listing } = await import('#ui/state/folder/listing.ts')
  listing.entry = null
  // Cards only read the rights and preferences of the user.
  session.user = { id: 1, perm: permissionsOf('admin'), singleClick: false } as never
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

/** Asks a question and waits for its dialog. `answered` returns the answer. */
async function show<Name extends PromptName>(question: QuestionOf<Name>) {
  let answered: Promise<AnswerOf<Name> | undefined> = Promise.resolve(undefined)
  await act(async () => {
    answered = prompts.ask(question)
  })
  await arrive('dialog')
  return { answered: () => answered }
}

function entry(name: string, isDir = false): Entry {
  const extension = ''
  const modified = '2026-01-02T12:00:00Z'
  const kind = { mode: 0, isDir, isSymlink: false, type: isDir ? '' : 'text' } as const
  return { path: parsePath(`/docs/${name}`), name, size: 10, extension, modified, ...kind }
}

function find<Kind extends Element>(selector: string, words?: string): Kind {
  const found = [...document.querySelectorAll<Kind>(selector)].filter(
    (element) => words === undefined || element.textContent === words,
  )
  const last = found.at(-1)
  if (!last) throw new Error(`Nothing is ${selector} ${words ?? ''}`)
  return last
}

async function press(words: string): Promise<void> {
  await act(async () => find<HTMLButtonElement>('button', words).click())
}

/** Types a text. React notices a new value only if it is set by the setter of the prototype, as browsers do. */
async function type(words: string): Promise<void> {
  const input = find<HTMLInputElement>('dialog input')
  const setter = Object.getOwnPropertyDescriptor(Object.getPrototypeOf(input), 'value')?.set
  await act(async () => {
    setter?.call(input, words)
    input.dispatchEvent(new Event('input', { bubbles: true }))
  })
}

async function submit(): Promise<void> {
  await act(async () => find<HTMLFormElement>('dialog form').requestSubmit())
}

/**
 * Holds the next request with this method. `release` sends it, and waits until the page has processed it and each
 * request that follows.
 */
function hold(method: 'GET' | 'POST') {
  const send = globalThis.fetch
  const gate = Promise.withResolvers<void>()
  const held = Promise.withResolvers<void>()
  let isHolding = true
  let running = 0
  const wrapped: typeof fetch = Object.assign(
    async (input: RequestInfo | URL, init?: RequestInit) => {
      running += 1
      try {
        if (isHolding && (init?.method ?? 'GET') === method) {
          isHolding = false
          held.resolve()
          await gate.promise
        }
        return await send(input, init)
      } finally {
        running -= 1
      }
    },
    send,
  )
  globalThis.fetch = wrapped
  return {
    held: held.promise,
    async release() {
      gate.resolve()
      do await act(() => Bun.sleep(0))
      while (running > 0)
      globalThis.fetch = send
    },
  }
}

/** Waits until an element exists, because responses for the card may have to arrive first. */
async function arrive(selector: string): Promise<void> {
  while (!document.querySelector(selector)) await act(() => Bun.sleep(1))
}

const NO_SIBLINGS = { names: [], foldsCase: false }

describe('a new name', () => {
  test('a new name is trimmed @spec-5.2', async () => {
    const card = await show({ name: 'newFolder', folder: FOLDER })
    await type('  plans ')
    expect(find('.Field__hint').textContent).toContain('Spaces')
    await submit()
    expect(await card.answered()).toBe('plans')
  })

  test('an empty new name does nothing @spec-5.2', async () => {
    await show({ name: 'newFile', folder: FOLDER })
    await type('   ')
    await submit()
    expect(prompts.prompts.stack).toHaveLength(1)
  })

  test('a new name with a slash is explained and not sent', async () => {
    await show({ name: 'newFile', folder: FOLDER })
    await type('a/b')
    await submit()
    expect(prompts.prompts.stack).toHaveLength(1)
    expect(find('.Field__hint').textContent).toContain('slash')
  })

  test('a name of the server is explained and not sent', async () => {
    await show({ name: 'rename', entry: entry('a.txt'), siblings: NO_SIBLINGS })
    await type('.filemgr')
    await submit()
    expect(prompts.prompts.stack).toHaveLength(1)
    expect(find('.Field__hint').textContent).toContain('reserved')
  })

  test('a tab in a name has a hint of its own', async () => {
    await show({ name: 'rename', entry: entry('a\tb'), siblings: NO_SIBLINGS })
    expect(find('.Field__hint').textContent).toContain('tab')
  })

  test('a line break, which the field leaves out, is explained', async () => {
    await show({ name: 'rename', entry: entry('a\nb'), siblings: NO_SIBLINGS })
    expect(find('.Field__hint').textContent).toContain('line break')
  })

  test('a new name that Windows refuses is explained and sent', async () => {
    const card = await show({ name: 'newFile', folder: FOLDER })
    await type('aux')
    expect(find('.Field__hint').textContent).toContain('Windows')
    await submit()
    expect(await card.answered()).toBe('aux')
  })

  test('a new name is shown with its path', async () => {
    await show({ name: 'newFile', folder: FOLDER })
    await type('a.txt')
    expect(find('.NameCard__location').textContent).toBe('My filesdocsa.txt')
  })

  test('a new name that a sibling has is refused', async () => {
    await show({
      name: 'rename',
      entry: entry('a.txt'),
      siblings: { names: ['b.txt', 'U\u0308b'], foldsCase: false },
    })
    for (const taken of ['b.txt', 'Üb']) {
      await type(taken)
      await submit()
      expect(prompts.prompts.stack).toHaveLength(1)
    }
  })

  test('an unchanged name cancels the prompt', async () => {
    const card = await show({ name: 'rename', entry: entry('a.txt'), siblings: NO_SIBLINGS })
    await submit()
    expect(await card.answered()).toBeUndefined()
  })
})

describe('deleting', () => {
  test('the delete dialog lists a few names and counts the others', async () => {
    const entries = Array.from({ length: 20 }, (_, at) => entry(`${at}.txt`))
    const card = await show({ name: 'delete', entries })
    expect(document.querySelectorAll('.DeleteCard__row')).toHaveLength(5)
    expect(find('.DeleteCard__row').textContent).toBe('and 16 more')
    await press('Delete permanently')
    expect(await card.answered()).toBe(true)
  })
})

describe('a destination', () => {
  const moveButton = () => find<HTMLButtonElement>('button', 'Move here')

  test('a destination is neither the current folder nor one of the entries @spec-5.3', async () => {
    await show({ name: 'move', entries: [entry('in', true)], from: FOLDER })
    await arrive('.FolderList__row')
    const rows = [...document.querySelectorAll('.FolderList__row .Name')]
    expect(rows.map((row) => row.textContent)).toEqual(['out'])
    expect(moveButton().disabled).toBe(true)
  })

  test('the selected folder is the destination', async () => {
    const card = await show({ name: 'move', entries: [entry('a.txt')], from: FOLDER })
    await arrive('.FolderList__row')
    await act(async () => find<HTMLElement>('.FolderList__row').click())
    expect(moveButton().disabled).toBe(false)
    await press('Move here')
    expect(await card.answered()).toBe(parsePath('/docs/out'))
  })

  test('the open folder is the destination if none is selected', async () => {
    const card = await show({ name: 'move', entries: [entry('a.txt')], from: FOLDER })
    await arrive('.FolderList__row')
    await act(async () => find<HTMLElement>('.FolderPath__part').click())
    const key = new KeyboardEvent('keydown', { key: 'Backspace', bubbles: true })
    await act(async () => find('.FolderList').dispatchEvent(key))
    await press('Move here')
    expect(await card.answered()).toBe(parsePath('/'))
  })

  test('the current folder may be the destination of a copy', async () => {
    const card = await show({ name: 'copy', entries: [entry('a.txt')], from: FOLDER })
    await press('Copy here')
    expect(await card.answered()).toBe(FOLDER)
  })

  test('a destination can be created in the picker', async () => {
    const card = await show({ name: 'move', entries: [entry('a.txt')], from: FOLDER })
    await arrive('.FolderList__row')
    await press('New folder')
    await type('fresh')
    await submit()
    await arrive('.FolderList__row[aria-selected="true"]')
    expect(peer.folders).toContain('/docs/fresh')
    await press('Move here')
    expect(await card.answered()).toBe(parsePath('/docs/fresh'))
    peer.folders.delete('/docs/fresh')
  })

  test.each(['POST', 'GET'] as const)(
    'a new folder is not the destination if another folder is opened before the %s request ends',
    async (method) => {
      const card = await show({ name: 'move', entries: [entry('a.txt')], from: FOLDER })
      await arrive('.FolderList__row')
      await press('New folder')
      await type(`late ${method}`)
      const request = hold(method)
      await submit()
      await act(() => request.held)
      await act(async () => find<HTMLElement>('.FolderPath__part:first-child').click())
      await arrive('.FolderList__row')
      await request.release()
      expect(document.querySelectorAll('.FolderList__row').length).toBeGreaterThan(0)
      await press('Move here')
      expect(await card.answered()).toBe(parsePath('/'))
      peer.folders.delete(`/docs/late ${method}`)
    },
  )
})

describe('name collisions', () => {
  const facts = { size: 10, modified: '2026-01-02T12:00:00Z', isDir: false }
  const newer = { ...facts, modified: '2026-02-02T12:00:00Z' }
  const question = {
    name: 'collision',
    verb: 'upload',
    folder: FOLDER,
    total: 5,
    conflicts: [
      { name: 'a.txt', existing: facts, incoming: newer },
      { name: 'b.txt', existing: facts, incoming: facts },
    ],
  } as const

  test.each([
    ['Replace 2 files', 'replace'],
    ['Keep both', 'keepBoth'],
    ['Skip these 2', 'skip'],
  ] as const)('the choice %s decides all name collisions', async (words, decision) => {
    const card = await show(question)
    await press(words)
    expect(await card.answered()).toEqual([decision, decision])
  })

  test('name collisions can be decided one by one, with suggested decisions', async () => {
    const card = await show(question)
    await press('Decide one by one')
    const [, second] = document.querySelectorAll('select')
    await act(async () => {
      if (second) second.value = 'keepBoth'
      second?.dispatchEvent(new Event('change', { bubbles: true }))
    })
    await press('Continue')
    expect(await card.answered()).toEqual(['replace', 'keepBoth'])
  })

  test('a name collision offers no replacement without the overwrite right', async () => {
    session.user = { id: 1, perm: permissionsOf('create'), singleClick: false } as never
    await show(question)
    const words = [...document.querySelectorAll('button')].map((button) => button.textContent)
    expect(words.some((word) => word?.startsWith('Replace'))).toBe(false)
  })
})

test.each([
  ['are equal', 'a\nb\n'],
  ['differ only in line ends', 'a\r\nb\r\n'],
])('a comparison of versions that %s says that their text is the same', async (_, earlier) => {
  await show({ ...COMPARISON, earlier, current: 'a\nb\n' })
  expect(find('dialog .Notice').textContent).toBe('Both versions hold the same text.')
  expect(document.querySelector('dialog table')).toBeNull()
})

test.each([
  ['h', false, false],
  ['https://', false, false],
  ['HTTPS://files.test/a b.txt', false, true],
  ['ftp://files.test/', true, false],
  ['https:///', true, false],
  ['https://files test/', true, false],
])(
  'of the typed URL %s, that it is wrong is %p, and that it can be imported is %p',
  async (url, isWrong, isComplete) => {
    await show({ name: 'import', folder: FOLDER })
    await type(url)
    expect(find('dialog').textContent.includes(en.prompts.import.wrong)).toBe(isWrong)
    expect(find<HTMLButtonElement>('button', en.prompts.import.act).disabled).toBe(!isComplete)
  },
)

test('a comparison shows its first rows, and how many follow', async () => {
  const numbers = (word: string) =>
    Array.from({ length: 2100 }, (_, at) => `${word} ${at}`).join('\n')
  await show({ ...COMPARISON, earlier: numbers('old'), current: numbers('new') })
  const last = find('dialog').querySelector('tbody > tr:last-child')
  expect(last?.textContent).toBe('and 100 more')
})

test('a refused entry of a plan has its reason in the language of the page, and is listed once', async () => {
  const twice = { path: '/a.zip', part: 'b/c', to: '', isDir: false, files: 0, bytes: 0 } as const
  const item = { ...twice, taken: false, fault: 'conflict; reason=nameTwice', problem: 'Sentence.' }
  const plan: JobPlan = { ...PLAN, kind: 'extract', items: [item, item] }
  await show({ name: 'plan', plan, entryName: 'a.zip', count: 1, isNew: false })
  const rows = [...document.querySelectorAll('.PlanCard__refused li')].map((row) => row.textContent)
  expect(rows).toEqual([`b/c${en.fault.nameTwice}`])
})

test('the dialog of a zip focuses its main button, not the encoding of names', async () => {
  await show({ name: 'extract', entryName: 'a.zip' })
  expect(find('select')).toBeDefined()
  const focused = [...document.querySelectorAll('[autofocus]')]
  expect(focused.map(({ tagName, textContent }) => [tagName, textContent])).toEqual([
    ['BUTTON', en.prompts.extract.folder],
  ])
})

const APP_PASSWORD: AppPassword = {
  id: 1,
  userID: 1,
  name: 'phone',
  application: 'rclone',
  permissions: ['download'],
  folder: '/',
  paused: false,
  created: '2026-11-29T00:00:00Z',
  expires: '',
  used: '',
  address: '',
  agent: '',
}

test('every prompt has a card that can be cancelled', async () => {
  const { CARDS } = await import('#ui/features/prompts/registry.ts')
  const asks: { [Name in PromptName]: QuestionOf<Name> } = {
    newAppPassword: { name: 'newAppPassword' },
    appPassword: { name: 'appPassword', created: { ...APP_PASSWORD, password: 'fm_00000' } },
    removeAppPasswords: { name: 'removeAppPasswords', appPasswords: [APP_PASSWORD] },
    code: { name: 'code', app: true, passkeyHosts: [] },
    accessReasons: { name: 'accessReasons', path: FOLDER },
    linkDirectory: { name: 'linkDirectory', directory: { id: 'office', label: 'Office' } },
    renamePasskey: { name: 'renamePasskey', current: 'Phone' },
    newSecondFactor: {
      name: 'newSecondFactor',
      draft: { secret: 'ABCD', uri: 'otpauth://totp/a' },
    },
    recoveryCodes: { name: 'recoveryCodes', codes: ['00000-00000'] },
    delete: { name: 'delete', entries: [entry('a')] },
    rename: { name: 'rename', entry: entry('a'), siblings: NO_SIBLINGS },
    renameMany: { name: 'renameMany', entries: [entry('a'), entry('b')], siblings: NO_SIBLINGS },
    move: { name: 'move', entries: [entry('a')], from: FOLDER },
    copy: { name: 'copy', entries: [entry('a')], from: FOLDER },
    newFolder: { name: 'newFolder', folder: FOLDER },
    newFile: { name: 'newFile', folder: FOLDER },
    collision: { name: 'collision', verb: 'copy', folder: FOLDER, total: 0, conflicts: [] },
    invitation: { name: 'invitation', username: 'ida', url: 'http://x.test/invite#t', expires: 1 },
    help: { name: 'help' },
    info: { name: 'info', entries: [entry('a'), entry('b', true)] },
    abortUploads: { name: 'abortUploads', count: 2 },
    chooseFolder: { name: 'chooseFolder', start: FOLDER },
    receive: { name: 'receive', names: ['a', 'b'] },
    download: { name: 'download', entryName: 'a', count: 2 },
    share: { name: 'share', path: FOLDER, isDir: true },
    shareMany: { name: 'shareMany', entries: [entry('a'), entry('b')] },
    plan: { name: 'plan', plan: PLAN, entryName: 'a', count: 2, isNew: true },
    compress: { name: 'compress', entryName: 'a', count: 2 },
    import: { name: 'import', folder: FOLDER },
    extract: { name: 'extract', entryName: 'a.zip' },
    extractTaken: { name: 'extractTaken', entryName: 'a.zip', count: 2 },
    undoAll: { name: 'undoAll', names: ['ana', 'ben'], username: '', sessions: [] },
    purge: { name: 'purge', path: '/docs/a.txt' },
    shareDelete: { name: 'shareDelete', share: LINK },
    currentPassword: { name: 'currentPassword', isWrong: true },
    deleteUser: { name: 'deleteUser', username: 'ana', isWrong: false },
    endSessions: { name: 'endSessions', sessions: [] },
    discardChanges: { name: 'discardChanges' },
    signIn: { name: 'signIn', username: 'ana' },
    discardEditorChanges: { name: 'discardEditorChanges', file: FILE },
    saveConflict: { name: 'saveConflict', file: FILE, own: 'a', stored: 'b' },
    compareVersion: COMPARISON,
    saveAs: { name: 'saveAs', file: FILE },
    goToLine: { name: 'goToLine', lines: 3, current: 1 },
  }
  for (const question of Object.values(asks)) {
    const card = await show(question)
    const cancel = new Event('cancel', { cancelable: true })
    await act(async () => find('dialog').dispatchEvent(cancel))
    if (question.name === 'recoveryCodes') {
      // Shown once: only its own button closes it.
      expect(document.querySelector('dialog')).not.toBeNull()
      await act(async () => find<HTMLButtonElement>('dialog [data-push]').click())
    }
    expect(await card.answered()).toBeUndefined()
    expect(document.querySelector('dialog')).toBeNull()
  }
  expect(Object.keys(asks).sort()).toEqual(Object.keys(CARDS).sort())
})
