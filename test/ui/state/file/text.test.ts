import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import '../../browser.ts'
import type { ReadFile } from '#ui/api/files/resources.ts'
import { currentUrl, goTo } from '#ui/lib/page/location.ts'
import { type AnswerOf, answer, type PromptName, prompts } from '#ui/state/dialogs/prompts.ts'
import {
  attachEditor,
  closeText,
  convertText,
  openText,
  refreshText,
} from '#ui/state/file/edited-text.ts'
import { mayLeave, saveText, text } from '#ui/state/file/text.ts'
import { session } from '#ui/state/session/session.ts'
import { FAULT_HEADER } from '#wire/api/session.ts'
import { parsePath } from '#wire/paths.ts'
import { sentRequests, serve, userOf, visit } from '../../browser.ts'
import { entry } from '../../entries.ts'

const PATH = parsePath('/docs/a.txt')
const URL_OF_FILE = '/api/resources/docs/a.txt'

const fileOf = (content: string, etag: string): ReadFile => ({
  ...entry(PATH, { type: 'text', size: new TextEncoder().encode(content).length }),
  content,
  etag,
})

/** A server with one file. It refuses a save whose `If-Match` is not the present version. */
const server = { content: 'old', version: 1, gone: false, files: new Map<string, string>() }
/** The texts of an editor: the present one, and the saved one. */
const editor = { text: '', saved: '' }

const etag = () => `"${server.version}"`

function refuse(status: number, code: string): Response {
  return new Response(code, { status, headers: { [FAULT_HEADER]: code } })
}

function serveFile(): void {
  serve(({ method, url, headers, body }) => {
    if (method === 'POST') {
      if (server.files.has(url)) return refuse(409, 'conflict')
      server.files.set(url, String(body))
      if (url === URL_OF_FILE) Object.assign(server, { gone: false, content: String(body) })
      return new Response('200 OK')
    }
    if (server.gone) return refuse(404, 'notFound')
    if (method === 'GET') {
      return Response.json(fileOf(server.content, etag()), { headers: { ETag: etag() } })
    }
    const wanted = headers.get('if-match')
    if (wanted && wanted !== etag()) return refuse(412, 'precondition')
    write(String(body))
    return new Response('200 OK', { headers: { ETag: etag() } })
  })
}

/** Another user writes the file. */
function write(content: string): void {
  Object.assign(server, { content, version: server.version + 1 })
}

function type(words: string): void {
  editor.text = words
  text.isDirty = editor.text !== editor.saved
}

async function open(file = fileOf(server.content, etag())): Promise<void> {
  await openText(file, PATH)
  Object.assign(editor, { text: text.start?.text, saved: text.start?.saved })
  text.isDirty = editor.text !== editor.saved
  attachEditor({
    snapshot() {
      const taken = editor.text
      return {
        text: taken,
        markSaved() {
          editor.saved = taken
          text.isDirty = editor.text !== taken
        },
      }
    },
    show: type,
    markUnsaved() {
      text.isDirty = true
    },
    find() {},
    goToLine() {},
  })
}

/** Waits for a question of this name and answers it. */
async function reply<Name extends PromptName>(
  name: Name,
  value: AnswerOf<Name> | undefined,
): Promise<void> {
  while (prompts.stack.at(-1)?.question.name !== name) await Bun.sleep(1)
  answer(prompts.stack.at(-1)?.id ?? 0, value)
}

beforeEach(async () => {
  Object.assign(server, { content: 'old', version: 1, gone: false, files: new Map() })
  session.user = userOf()
  visit('/files/docs/a.txt')
  serveFile()
  await open()
})

afterEach(() => {
  text.isDirty = false
  closeText()
})

describe('saving', () => {
  test('saving writes the opened version, and continues from the new one', async () => {
    type('new')
    expect(await saveText()).toBe(true)
    type('newer')
    expect(await saveText()).toBe(true)
    expect(server.content).toBe('newer')
    expect(sentRequests.map(({ headers }) => headers.get('if-match'))).toEqual(['"1"', '"2"'])
    expect(text.isDirty).toBe(false)
  })

  test('text that was typed during a save is still unsaved', async () => {
    type('new')
    const saving = saveText()
    type('new and more')
    await saving
    expect(server.content).toBe('new')
    expect(text.isDirty).toBe(true)
  })

  test('a failed save keeps the text and gives the reason', async () => {
    type('new')
    serve(() => refuse(507, 'noSpace'))
    expect(await saveText()).toBe(false)
    expect(text).toMatchObject({ isDirty: true, isSaving: false })
    expect(text.fault?.code).toBe('noSpace')
    expect(editor.text).toBe('new')
  })

  test('a byte order mark is kept by a save', async () => {
    await open({ ...fileOf('\uFEFFold', '"1"'), size: 6 })
    type('new')
    await saveText()
    expect(server.content).toBe('\uFEFFnew')
  })
})

describe('a file that has changed', () => {
  beforeEach(() => {
    write('theirs')
    type('mine')
  })

  test('a file that has changed is not overwritten without a question', async () => {
    const saving = saveText()
    expect(text.isSaving).toBe(true)
    while (prompts.stack.at(-1)?.question.name !== 'saveConflict') await Bun.sleep(1)
    expect(text.isSaving).toBe(false)
    await reply('saveConflict', undefined)
    expect(await saving).toBe(false)
    expect([server.content, editor.text, text.isDirty]).toEqual(['theirs', 'mine', true])
  })

  test('a file that has changed is overwritten on request, in the version that was compared', async () => {
    const saving = saveText()
    await reply('saveConflict', 'keepMine')
    expect(await saving).toBe(true)
    expect(server.content).toBe('mine')
    expect(sentRequests.at(-1)?.headers.get('if-match')).toBe('"2"')
  })

  test('a file that has changed again during the question asks again', async () => {
    const saving = saveText()
    while (prompts.stack.length === 0) await Bun.sleep(1)
    write('theirs again')
    await reply('saveConflict', 'keepMine')
    await reply('saveConflict', undefined)
    expect(await saving).toBe(false)
    expect(server.content).toBe('theirs again')
  })

  test('a file that has changed can replace the edited text', async () => {
    const saving = saveText()
    await reply('saveConflict', 'takeTheirs')
    expect(await saving).toBe(true)
    expect([server.content, editor.text, text.isDirty]).toEqual(['theirs', 'theirs', false])
  })

  test('a file that has changed stays, and the edited text is saved under another name', async () => {
    const entries = history.length
    const saving = saveText()
    await reply('saveConflict', 'saveAs')
    await reply('saveAs', 'a(1).txt')
    expect(await saving).toBe(true)
    // The back button opens the page before the editor, and not the first file again.
    expect(history.length).toBe(entries)
    expect(server.content).toBe('theirs')
    expect(server.files.get('/api/resources/docs/a(1).txt')).toBe('mine')
    expect(currentUrl()).toBe('/files/docs/a(1).txt')
  })

  test('a file that contains the opened or the edited text is no conflict', async () => {
    server.content = 'old'
    expect(await saveText()).toBe(true)
    expect(server.content).toBe('mine')
    type('same')
    write('same')
    expect(await saveText()).toBe(true)
    expect(text.isDirty).toBe(false)
  })
})

test('a deleted file can be saved again', async () => {
  server.gone = true
  type('mine')
  const saving = saveText()
  await reply('saveConflict', 'keepMine')
  expect(await saving).toBe(true)
  expect(server).toMatchObject({ gone: false, content: 'mine' })
})

describe('a file that is read again', () => {
  test('a file that is read again is shown if nothing was typed', () => {
    refreshText(fileOf('theirs', '"9"'))
    expect([editor.text, text.isDirty]).toEqual(['theirs', false])
  })

  test('a file that is read again does not replace typed text', () => {
    type('mine')
    refreshText(fileOf('theirs', '"9"'))
    expect([editor.text, text.isDirty]).toEqual(['mine', true])
  })
})

describe('a text that is not UTF-8', () => {
  const LATIN = Uint8Array.from([0x47, 0x72, 0xfc, 0xdf, 0x65])

  beforeEach(async () => {
    serve(({ url, method }) => {
      if (method === 'PUT') return new Response('200 OK')
      expect(url).toBe('/api/raw/docs/a.txt?inline=true')
      return new Response(LATIN, { headers: { ETag: '"7"' } })
    })
    await open({ ...fileOf('Gr\uFFFD\uFFFDe', '"7"'), size: LATIN.length })
  })

  test('a text that is not UTF-8 is decoded, and not written', async () => {
    expect(text).toMatchObject({ isLossy: true, encoding: 'windows-1252' })
    expect(editor.text).toBe('Grüße')
    expect(await saveText()).toBe(false)
    expect(sentRequests.some(({ method }) => method === 'PUT')).toBe(false)
  })

  test('a text that is not UTF-8 is converted to UTF-8 on request', async () => {
    convertText()
    expect(await saveText()).toBe(true)
    expect(sentRequests.at(-1)).toMatchObject({ method: 'PUT', body: 'Grüße' })
  })
})

describe('leaving', () => {
  test('leaving a text without unsaved changes does not ask', async () => {
    expect(await mayLeave()).toBe(true)
    goTo('/files/')
    expect(currentUrl()).toBe('/files/')
  })

  test.each([
    [undefined, '/files/docs/a.txt', 'old', true],
    ['discard', '/files/', 'old', false],
    ['save', '/files/', 'new', false],
  ] as const)(
    'leaving an unsaved text follows the answer %p',
    async (choice, at, content, isDirty) => {
      type('new')
      goTo('/files/')
      expect(currentUrl()).toBe('/files/docs/a.txt')
      const leaving = mayLeave()
      await reply('discardEditorChanges', choice)
      await leaving
      expect(currentUrl()).toBe(at)
      expect([server.content, text.isDirty]).toEqual([content, isDirty])
    },
  )

  test('a failed save stays on the page', async () => {
    type('new')
    serve(() => refuse(507, 'noSpace'))
    const leaving = mayLeave()
    await reply('discardEditorChanges', 'save')
    expect(await leaving).toBe(false)
    expect(editor.text).toBe('new')
  })

  test('the browser asks too before the page is closed', () => {
    const closes = () =>
      window.dispatchEvent(new window.Event('beforeunload', { cancelable: true }))
    expect(closes()).toBe(true)
    type('new')
    expect(closes()).toBe(false)
  })
})

describe('the end of the session', () => {
  test('after the end of the session the page is left without a question, and the text is restored for the same user', async () => {
    type('half a sentence')
    session.user = null
    expect(await mayLeave()).toBe(true)
    closeText()
    session.user = userOf()
    await open()
    expect([editor.text, text.isDirty]).toEqual(['half a sentence', true])
  })

  test('an unsaved text of an ended session is not shown to another user', async () => {
    type('a secret')
    session.user = null
    closeText()
    session.user = userOf({ id: 2 })
    await open()
    expect(editor.text).toBe('old')
    closeText()
    session.user = userOf()
    await open()
    expect(editor.text).toBe('a secret')
  })
})
