/** The journal: each change is an entry, which is undone and redone with the current rights of the user. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import type { AuditEntry } from '#wire/api/audit.ts'
import type { JournalEntry, TrashItemInfo, UndoResult } from '#wire/api/journal.ts'
import { API, urls } from '#wire/api/routes.ts'
import { FAULT_HEADER, JOURNAL_HEADER } from '#wire/api/session.ts'
import { parsePath } from '#wire/paths.ts'
import { type Client, outcome, signIn } from '../support/server/client.ts'
import { PASSWORD } from '../support/server/passwords.ts'
import { openTestApp, type TestApp } from '../support/server/test-app.ts'

let app: TestApp
beforeAll(async () => {
  app = await openTestApp()
})
afterAll(() => app.stop())

const at = (path: string) => urls.resource(parsePath(path))
const disk = (...names: string[]) => join(app.root, 'anna', ...names)
const text = (name: string) => (existsSync(disk(name)) ? readFileSync(disk(name), 'utf8') : '')
const list = async (who: Client, query = ''): Promise<JournalEntry[]> =>
  (await who.call('GET', `${API.journal}${query}`)).json()

/** Sends a change as anna. @returns the id of its journal entry */
async function change(method: string, address: string, body?: BodyInit): Promise<number> {
  const answer = await app.anna.call(method, address, body)
  expect(answer.ok, `${method} ${address}: ${answer.status}`).toBe(true)
  return Number(answer.headers.get(JOURNAL_HEADER))
}
const transfer = (action: 'copy' | 'rename', from: string, to: string, override = false) =>
  change('PATCH', urls.move(parsePath(from), { action, destination: parsePath(to), override }))
const undo = (id: number, who = app.anna) =>
  outcome(who.call('POST', `${API.journal}/undo`, { id }))
const redo = (id: number) => outcome(app.anna.call('POST', `${API.journal}/redo`, { id }))
/** The newest audit records that a user may read. */
const recordsOf = async (who: Client, limit: number, filter = ''): Promise<AuditEntry[]> =>
  (await who.call('GET', `${API.audit}?limit=${limit}${filter}`)).json()

/** Names and contents of a folder, and of all below it. */
function tree(...folder: string[]): Record<string, string> {
  const names = readdirSync(disk(...folder), { withFileTypes: true, recursive: true })
  return Object.fromEntries(
    names.map((entry) => {
      const path = join(entry.parentPath, entry.name)
      return [path, entry.isFile() ? readFileSync(path, 'utf8') : 'folder']
    }),
  )
}

describe('who may', () => {
  test('the journal needs a session; each user undoes their own changes, administrators all', async () => {
    expect(await outcome(app.anonymous.call('GET', API.journal))).toBe('401 unauthenticated')
    for (const route of ['undo', 'redo', 'undo-all']) {
      const answer = app.anonymous.call('POST', `${API.journal}/${route}`, { id: 1 })
      expect(await outcome(answer)).toBe('401 unauthenticated')
    }
    const id = await change('POST', at('/mine'), 'mine')
    const other = await app.person('other', '--scope', '/anna')
    expect((await list(other)).map((entry) => entry.id)).toEqual([])
    expect(await undo(id, other)).toBe('404 notFound')
    expect((await list(app.anna))[0]).toMatchObject({
      id,
      verb: 'upload',
      path: '/mine',
      client: 'api',
    })
    expect((await list(app.admin))[0]).toMatchObject({ id, path: '/anna/mine', username: 'anna' })
    expect(await undo(id, app.admin)).toBe('200')
    expect(existsSync(disk('mine'))).toBe(false)
  })

  test('an entry of another user is 404, and its path is not in the record @spec-7.58', async () => {
    const seen = await change('POST', at('/seen'), 'seen')
    const hidden = await change('POST', at('/hidden'), 'hidden')
    await app.runCommand('users', 'add', 'curious', PASSWORD, '--scope', '/anna')
    await app.runCommand('rules', 'add', '--user', 'curious', '/hidden')
    const curious = await signIn(app.url, 'curious', PASSWORD)
    const missing = { id: 987654 }
    for (const verb of ['undo', 'redo']) {
      const answerTo = async (body: { id: number }) => {
        const answer = await curious.call('POST', `${API.journal}/${verb}`, body)
        const { status, headers } = answer
        return [status, headers.get('x-fault'), (await answer.text()).replace(`${body.id}`, 'N')]
      }
      for (const id of [seen, hidden]) {
        expect(await answerTo({ id })).toEqual(await answerTo(missing))
        expect(await recordsOf(curious, 2)).toMatchObject([
          { action: verb, path: '', to: '', status: 404 },
          { action: verb, path: '', to: '', status: 404 },
        ])
        expect(await recordsOf(app.admin, 2, '&username=curious')).toMatchObject([
          { action: verb, path: '', to: '', status: 404 },
          { action: verb, path: '', to: '', status: 404 },
        ])
      }
    }
    expect(text('seen') + text('hidden')).toBe('seenhidden')
  })

  test('the record names the path of the user’s own entry, unless a rule hides it now; administrators see all', async () => {
    const first = await app.person('maker', '--scope', '/anna')
    const answer = await first.call('POST', at('/later hidden'), 'x')
    const id = Number(answer.headers.get(JOURNAL_HEADER))
    expect(await undo(id, first)).toBe('200')
    expect(await recordsOf(first, 1)).toMatchObject([{ action: 'undo', path: '/later hidden' }])
    await app.runCommand('rules', 'add', '--user', 'maker', '/later hidden')
    const maker = await signIn(app.url, 'maker', PASSWORD)
    expect(await undo(id, maker)).toBe('409 conflict')
    expect(await recordsOf(maker, 1)).toMatchObject([{ action: 'undo', path: '', status: 409 }])
    const guard = await app.person('guard', '--scope', '/elsewhere', '--perm.admin')
    for (const administrator of [app.admin, guard]) {
      expect(await undo(id, administrator)).toBe('409 conflict')
      const record = { action: 'undo', path: '/anna/later hidden', status: 409 }
      expect(await recordsOf(administrator, 1)).toMatchObject([record])
    }
  })

  test('a change that an administrator has undone stays so: its own user gets 403, not 404', async () => {
    const id = await change('POST', at('/decided'), 'decided')
    expect(await undo(id, app.admin)).toBe('200')
    expect(await redo(id)).toBe('403 forbidden')
    expect(await recordsOf(app.anna, 1)).toMatchObject([{ action: 'redo', path: '/decided' }])
  })

  test('an entry names the kind of client: a browser sends an Origin to each server, and Fetch Metadata to some', async () => {
    const clientOf = async (name: string, headers: Record<string, string>) => {
      expect(await outcome(app.anna.call('POST', at(`/${name}`), name, headers))).toBe('200')
      return (await list(app.anna))[0]?.client
    }
    expect(await clientOf('by a script', {})).toBe('api')
    expect(await clientOf('over http', { Origin: app.url })).toBe('web')
    expect(await clientOf('over https', { 'Sec-Fetch-Mode': 'cors' })).toBe('web')
  })

  test('an undo needs the current rights, and follows the current rules', async () => {
    const first = await app.person('changing', '--scope', '/anna')
    const answer = await first.call('POST', at('/today'), 'today')
    const id = Number(answer.headers.get(JOURNAL_HEADER))
    const as = async (...words: string[]) => {
      await app.runCommand(...words)
      return signIn(app.url, 'changing', PASSWORD)
    }
    const powerless = await as('users', 'update', 'changing', '--perm.delete=false')
    expect(await undo(id, powerless)).toBe('403 forbidden')
    await app.runCommand('users', 'update', 'changing', '--perm.delete=true')
    const denied = await as('rules', 'add', '--user', 'changing', '/today')
    expect(await undo(id, denied)).toBe('403 forbidden')
    expect(text('today')).toBe('today')
    mkdirSync(disk('inside/closed'), { recursive: true })
    const removing = await denied.call('DELETE', at('/inside'))
    const removed = Number(removing.headers.get(JOURNAL_HEADER))
    const closed = await as('rules', 'add', '--user', 'changing', '/inside/closed')
    expect(await undo(removed, closed)).toBe('403 forbidden')
    expect(existsSync(disk('inside'))).toBe(false)
    const freed = await as('rules', 'rm', '--user', 'changing', '0')
    expect(await undo(id, freed)).toBe('200')
    expect(existsSync(disk('today'))).toBe(false)
  })
})

describe('each kind of change', () => {
  const CHANGES: [string, () => Promise<number>][] = [
    ['a new file', () => change('POST', at('/v/new'), 'new')],
    ['a new file in new folders', () => change('POST', at('/v/a/b/new'), 'new')],
    ['a replaced file', () => change('POST', `${at('/v/file')}?override=true`, 'other')],
    ['a saved file', () => change('PUT', at('/v/file'), 'other')],
    ['a new folder', () => change('POST', `${at('/v/made')}/`)],
    ['a rename', () => transfer('rename', '/v/file', '/v/renamed')],
    ['a move over a file', () => transfer('rename', '/v/file', '/v/second', true)],
    ['a move into a new folder', () => transfer('rename', '/v/file', '/v/deep/er/file')],
    ['a moved folder', () => transfer('rename', '/v/folder', '/v/away')],
    ['merged folders', () => transfer('rename', '/v/folder', '/v/into', true)],
    ['a copy', () => transfer('copy', '/v/file', '/v/copy')],
    ['a copied folder', () => transfer('copy', '/v/folder', '/v/copies')],
    ['a copy over a file', () => transfer('copy', '/v/file', '/v/second', true)],
    ['a copy into a folder', () => transfer('copy', '/v/folder', '/v/into', true)],
    ['a removed file', () => change('DELETE', at('/v/file'))],
    ['a removed folder', () => change('DELETE', at('/v/folder'))],
  ]
  test.each(CHANGES)('%s is undone, redone and undone again', async (_, act) => {
    rmSync(disk('v'), { recursive: true, force: true })
    for (const name of ['v/folder/sub', 'v/into/sub']) mkdirSync(disk(name), { recursive: true })
    for (const name of [
      'file',
      'second',
      'folder/one',
      'folder/both',
      'folder/sub/deep',
      'into/both',
      'into/own',
      'into/sub/deep',
    ]) {
      writeFileSync(disk('v', name), `${name} as it was`)
    }
    const before = tree('v')
    const id = await act()
    const after = tree('v')
    expect(after).not.toEqual(before)
    expect(await undo(id)).toBe('200')
    expect(tree('v')).toEqual(before)
    expect(await undo(id)).toBe('409 conflict')
    expect(await redo(id)).toBe('200')
    expect(tree('v')).toEqual(after)
    const [again] = await list(app.anna)
    expect(again).toMatchObject({ verb: 'redo' })
    expect(await undo(again?.id ?? 0)).toBe('200')
    expect(tree('v')).toEqual(before)
  })

  test('a resumable upload is one entry of the journal', async () => {
    const tus = { 'Tus-Resumable': '1.0.0' }
    const made = await app.anna.call('POST', `${API.tus}/resumed`, undefined, {
      ...tus,
      'Upload-Length': '4',
    })
    const sent = await app.anna.call('PATCH', made.headers.get('location') ?? '', 'data', {
      ...tus,
      'Content-Type': 'application/offset+octet-stream',
      'Upload-Offset': '0',
    })
    expect(sent.status).toBe(204)
    expect(await undo(Number(sent.headers.get(JOURNAL_HEADER)))).toBe('200')
    expect(existsSync(disk('resumed'))).toBe(false)
  })

  test('an undo restores the same inode, with its mode and times', async () => {
    writeFileSync(disk('special'), 'special', { mode: 0o604 })
    utimesSync(disk('special'), 1_000_000, 1_000_000)
    const { ino, mode, mtimeMs } = statSync(disk('special'))
    const id = await change('DELETE', at('/special'))
    expect(await undo(id)).toBe('200')
    expect(statSync(disk('special'))).toMatchObject({ ino, mode, mtimeMs })
  })
})

describe('what has changed since', () => {
  test('an undo does not touch another content, another name, a taken name or a lost folder', async () => {
    const uploaded = await change('POST', at('/since'), 'first')
    await change('PUT', at('/since'), 'second')
    expect(await undo(uploaded)).toBe('412 precondition')
    expect(text('since')).toBe('second')

    const renamed = await transfer('rename', '/since', '/later')
    writeFileSync(disk('since'), 'taken')
    expect(await undo(renamed)).toBe('409 conflict')
    expect([text('since'), text('later')]).toEqual(['taken', 'second'])

    mkdirSync(disk('lost'))
    writeFileSync(disk('lost/file'), 'file')
    const removed = await change('DELETE', at('/lost/file'))
    rmSync(disk('lost'), { recursive: true })
    expect(await undo(removed)).toBe('404 notFound')
  })

  test('a refused undo says whether a name is taken, a content has changed, or a folder is another one', async () => {
    const faultOf = async (id: number) =>
      (await app.anna.call('POST', `${API.journal}/undo`, { id })).headers.get(FAULT_HEADER)
    mkdirSync(disk('reused/deep'), { recursive: true })
    const removed = await change('DELETE', at('/reused'))
    await change('POST', `${at('/reused')}/`)
    expect(await faultOf(removed)).toBe('precondition; reason=undoTaken')
    const renamed = await transfer('rename', '/reused', '/other')
    mkdirSync(disk('reused'))
    expect(await faultOf(renamed)).toBe('conflict; reason=undoTaken')
    const uploaded = await change('POST', at('/reused/file'), 'first')
    await change('PUT', at('/reused/file'), 'second')
    expect(await faultOf(uploaded)).toBe('precondition; reason=undoChanged')
    const inside = await change('DELETE', at('/reused/file'))
    renameSync(disk('reused'), disk('reused-aside'))
    expect(await faultOf(inside)).toBe('notFound; reason=undoMoved')
    mkdirSync(disk('reused'))
    expect(await faultOf(inside)).toBe('precondition; reason=undoMoved')
  })

  test('an undo follows no link that has replaced a folder, for users and for administrators', async () => {
    mkdirSync(join(app.root, 'foreign'))
    mkdirSync(disk('swapped'))
    writeFileSync(disk('swapped/file'), 'file')
    const id = await change('DELETE', at('/swapped/file'))
    renameSync(disk('swapped'), disk('swapped-aside'))
    symlinkSync('../foreign', disk('swapped'))
    for (const who of [app.anna, app.admin]) expect(await undo(id, who)).toBe('403 outside')
    expect(readdirSync(join(app.root, 'foreign'))).toEqual([])
    rmSync(disk('swapped'))
    mkdirSync(disk('swapped'))
    for (const who of [app.anna, app.admin]) expect(await undo(id, who)).toBe('412 precondition')
    expect(readdirSync(disk('swapped'))).toEqual([])
    rmSync(disk('swapped'), { recursive: true })
    renameSync(disk('swapped-aside'), disk('swapped'))
    expect(await undo(id)).toBe('200')
    expect(text('swapped/file')).toBe('file')
  })

  test('the undo of a merge is refused completely if one file was replaced', async () => {
    for (const name of ['merge/one', 'merge/two', 'merged/one', 'merged/two'])
      mkdirSync(disk(name), { recursive: true })
    for (const name of ['merge/a', 'merge/one/b', 'merge/two/c']) writeFileSync(disk(name), name)
    const id = await transfer('rename', '/merge', '/merged', true)
    await change('PUT', at('/merged/two/c'), 'changed')
    const now = tree('merged')
    expect(await undo(id)).toBe('412 precondition')
    expect(tree('merged')).toEqual(now)
    expect(existsSync(disk('merge'))).toBe(false)
  })

  test('an undo checks all files before it changes one', async () => {
    for (const changed of ['a', 'b', 'c']) {
      const [from, to] = [`from-${changed}`, `to-${changed}`]
      for (const folder of [from, to]) mkdirSync(disk(folder))
      for (const name of ['a', 'b', 'c']) writeFileSync(disk(from, name), name)
      const id = await transfer('rename', `/${from}`, `/${to}`, true)
      await change('PUT', at(`/${to}/${changed}`), 'changed')
      // A rename there and back changes the ctime.
      const times = () => ['a', 'b', 'c'].map((name) => statSync(disk(to, name)).ctimeMs)
      const before = times()
      expect(await undo(id)).toBe('412 precondition')
      expect(times()).toEqual(before)
    }
  })

  test('an undo leaves a new folder that is not empty, and a copy with later changes', async () => {
    const made = await change('POST', `${at('/filled')}/`)
    writeFileSync(disk('filled/file'), 'file')
    expect(await undo(made)).toBe('409 conflict')
    const copied = await transfer('copy', '/filled', '/worked')
    await change('POST', at('/worked/more'), 'more')
    expect(await undo(copied)).toBe('412 precondition')
    expect(text('worked/more')).toBe('more')
  })

  test('an undo of an upload keeps its new folder if that contains another file', async () => {
    const uploaded = await change('POST', at('/stays/upload'), 'upload')
    writeFileSync(disk('stays/foreign'), 'foreign')
    expect(await undo(uploaded)).toBe('200')
    expect(readdirSync(disk('stays'))).toEqual(['foreign'])
    expect(await redo(uploaded)).toBe('200')
    expect(readdirSync(disk('stays')).toSorted()).toEqual(['foreign', 'upload'])
  })

  test('an undo of a copy is refused if another program has added or changed an entry in it', async () => {
    mkdirSync(disk('source/inner'), { recursive: true })
    writeFileSync(disk('source/inner/file'), 'file')
    const meddle: Record<string, () => void> = {
      'a new file': () => writeFileSync(disk('copies/inner/new'), 'new'),
      'a changed file': () => writeFileSync(disk('copies/inner/file'), 'else'),
      'a new folder': () => mkdirSync(disk('copies/inner/more')),
      'a folder that is moved there': () => renameSync(disk('elsewhere'), disk('copies/moved')),
    }
    mkdirSync(disk('elsewhere'))
    for (const [what, act] of Object.entries(meddle)) {
      const copied = await transfer('copy', '/source', '/copies')
      // A ctime has the resolution of the kernel's clock.
      await Bun.sleep(20)
      act()
      const now = tree('copies')
      expect(await undo(copied), what).toBe('412 precondition')
      expect(tree('copies')).toEqual(now)
      rmSync(disk('copies'), { recursive: true })
    }
  })

  test('an undo of a copy is no longer refused when the later changes are undone', async () => {
    mkdirSync(disk('plain/inner'), { recursive: true })
    writeFileSync(disk('plain/inner/file'), 'file')
    const copied = await transfer('copy', '/plain', '/again')
    await Bun.sleep(20)
    const later = [
      await transfer('rename', '/again/inner/file', '/again/file'),
      await change('PUT', at('/again/file'), 'saved'),
      await change('POST', at('/again/more/new'), 'new'),
      await change('DELETE', at('/again/inner/')),
      // The file is changed under another path, and comes back.
      await transfer('rename', '/again', '/aside'),
      await change('DELETE', at('/aside/file')),
    ]
    for (const id of later.toReversed()) expect(await undo(id)).toBe('200')
    expect(await undo(copied)).toBe('200')
    expect(existsSync(disk('again'))).toBe(false)
    expect(await redo(copied)).toBe('200')
    await Bun.sleep(20)
    writeFileSync(disk('again/foreign'), 'foreign')
    expect(await undo(copied)).toBe('412 precondition')
  })

  test('a redone change is undone and redone by the id of its first entry', async () => {
    const id = await change('POST', at('/chain'), 'chain')
    for (let round = 0; round < 2; round += 1) {
      expect(await redo(id)).toBe('409 conflict')
      expect(await undo(id)).toBe('200')
      expect(text('chain')).toBe('')
      expect(await undo(id)).toBe('409 conflict')
      expect(await redo(id)).toBe('200')
      expect(text('chain')).toBe('chain')
    }
  })

  test('an undo is refused if the content was deleted permanently', async () => {
    writeFileSync(disk('purged'), 'purged')
    const id = await change('DELETE', at('/purged'))
    const [item] = await (await app.anna.call('GET', API.trash)).json()
    expect(item.path).toBe('/purged')
    expect(await outcome(app.anna.call('DELETE', `${API.trash}?id=${item.id}`))).toBe('204')
    expect(await undo(id)).toBe('404 expired')
  })
})

describe('all changes of a user', () => {
  test('all changes of a user since a given time are undone, after a preview that changes nothing', async () => {
    mkdirSync(disk('all'))
    writeFileSync(disk('all/old'), 'old')
    const before = tree('all')
    const since = new Date().toISOString()
    await change('POST', at('/all/new'), 'one')
    await change('PUT', at('/all/new'), 'two')
    await transfer('rename', '/all/new', '/all/renamed')
    await change('DELETE', at('/all/old'))
    await transfer('copy', '/all/renamed', '/all/copy')
    const ask = (preview: boolean) =>
      app.admin.call('POST', `${API.journal}/undo-all`, { username: 'anna', since, preview })
    const changed = tree('all')
    const previewed: UndoResult[] = await (await ask(true)).json()
    expect(previewed.map(({ problem }) => problem)).toEqual(['', '', '', '', ''])
    expect(tree('all')).toEqual(changed)
    const done: UndoResult[] = await (await ask(false)).json()
    expect(done.map(({ id, problem }) => [id, problem])).toEqual(
      previewed.map(({ id }) => [id, '']),
    )
    expect(done.every(({ undoneBy }) => undoneBy > 0)).toBe(true)
    expect(tree('all')).toEqual(before)
    // The preview has no record.
    const recorded = await app.admin.call(
      'GET',
      `${API.audit}?action=undo&username=admin&from=${since}`,
    )
    expect(await recorded.json()).toMatchObject([{ whom: 'anna', times: 5, path: '' }])
  })

  test('what was deleted, restored and deleted again is back after all is undone', async () => {
    mkdirSync(disk('again/folder'), { recursive: true })
    for (const name of ['again/file', 'again/other', 'again/folder/inside']) {
      writeFileSync(disk(name), name)
    }
    await change('POST', at('/again/text'), 'first')
    const before = tree('again')
    const since = new Date().toISOString()
    const restore = async (path: string) => {
      const items: TrashItemInfo[] = await (await app.anna.call('GET', API.trash)).json()
      const ids = [items.find((item) => item.path === path)?.id]
      expect(await outcome(app.anna.call('POST', API.trash, { ids }))).toBe('200')
    }
    for (const path of ['/again/file', '/again/folder/']) {
      await change('DELETE', at(path))
      await restore(path.replace(/\/$/, ''))
      await change('DELETE', at(path))
      await restore(path.replace(/\/$/, ''))
    }
    await change('DELETE', at('/again/other'))
    await restore('/again/other')
    await transfer('rename', '/again/other', '/again/else')
    await change('DELETE', at('/again/else'))
    await change('PUT', at('/again/text'), 'second')
    const [version] = await (await app.anna.call('GET', `${API.versions}/again/text`)).json()
    await change('POST', `${API.versions}/again/text?id=${version.id}`)
    const ask = async (preview: boolean): Promise<string[]> => {
      const body = { username: 'anna', since, preview }
      const answer = await app.admin.call('POST', `${API.journal}/undo-all`, body)
      const results: UndoResult[] = await answer.json()
      return results.map(({ problem }) => problem).filter(Boolean)
    }
    expect(await ask(true)).toEqual([])
    expect(await ask(false)).toEqual([])
    expect(tree('again')).toEqual(before)
  })

  test('the preview says that a copied folder stays in which something was added since', async () => {
    mkdirSync(disk('template'))
    writeFileSync(disk('template/old'), 'old')
    const since = new Date().toISOString()
    const copy = await transfer('copy', '/template', '/copied')
    await change('POST', at('/copied/mine'), 'of the same user')
    const ask = async (preview: boolean): Promise<string[]> => {
      const body = { username: 'anna', since, preview }
      const answer = await app.admin.call('POST', `${API.journal}/undo-all`, body)
      const results: UndoResult[] = await answer.json()
      return results.map(({ id, fault }) => (id === copy ? `copy ${fault}` : fault))
    }
    expect(await ask(true)).toEqual(['', 'copy '])
    // A ctime has the resolution of the kernel's clock.
    await Bun.sleep(20)
    writeFileSync(disk('copied/foreign'), 'by another program')
    expect(await ask(true)).toEqual(['', 'copy precondition; reason=undoChanged'])
    expect(await ask(false)).toEqual(['', 'copy precondition; reason=undoChanged'])
  })

  test('undoing all changes of a user needs an administrator, and the name of the user', async () => {
    const since = new Date().toISOString()
    const body = { username: 'anna', since }
    expect(await outcome(app.anna.call('POST', `${API.journal}/undo-all`, body))).toBe(
      '403 forbidden',
    )
    expect(await outcome(app.admin.call('POST', `${API.journal}/undo-all`, { since }))).toBe(
      '400 badRequest',
    )
  })
})
