import {
  afterAll,
  afterEach,
  beforeAll,
  beforeEach,
  describe,
  expect,
  setDefaultTimeout,
  test,
} from 'bun:test'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { HookName } from '#wire/api/events.ts'
import { API } from '#wire/api/routes.ts'
import type { GlobalSettings } from '#wire/api/settings.ts'
import { type Client, outcome } from '../support/server/client.ts'
import { openTestApp, type TestApp } from '../support/server/test-app.ts'

setDefaultTimeout(30_000)

const NOTE = 'sh -c "echo $TRIGGER $USERNAME $SCOPE $FILE $DESTINATION >> trace"'

let app: TestApp
let home: string
let anna: Client

beforeAll(async () => {
  app = await openTestApp({ args: ['--exec', '--trash-except', '/anna/scratch'] })
  home = join(app.root, 'anna')
  anna = app.anna
})

afterAll(() => app.stop())

beforeEach(async () => {
  for (const name of readdirSync(home)) rmSync(join(home, name), { recursive: true })
  await setCommands({})
})

/** Configures the commands of events, as an administrator does. */
async function setCommands(commands: Partial<Record<HookName, string[]>>, shell: string[] = []) {
  const settings = (await (await app.admin.call('GET', API.settings)).json()) as GlobalSettings
  const answer = await app.admin.call('PUT', API.settings, { ...settings, commands, shell })
  expect(answer.status).toBe(200)
}

const upload = (name: string, content = 'new', query = '') =>
  outcome(anna.call('POST', `${API.resources}/${name}${query}`, content))
const onDisk = (name: string) => readFileSync(join(home, name), 'utf8')
const trace = () => onDisk('trace').trim().split('\n')

describe('the commands of an event', () => {
  test('the commands of an event get the event, the user, the scope and the paths @spec-7.54', async () => {
    const hooks = ['upload', 'save', 'copy', 'rename', 'delete'].flatMap((event) => [
      [`before_${event}`, [NOTE]],
      [`after_${event}`, [NOTE]],
    ])
    await setCommands(Object.fromEntries(hooks))
    await upload('a.txt')
    await anna.call('PUT', `${API.resources}/a.txt`, 'saved')
    const patch = (action: string, to: string) =>
      anna.call('PATCH', `${API.resources}/a.txt?action=${action}&destination=${to}`)
    await patch('copy', '%2Fb.txt')
    await patch('rename', '%2Fc.txt')
    await anna.call('DELETE', `${API.resources}/c.txt`)
    await anna.call('POST', `${API.resources}/folder/`)
    const line = (trigger: string, file: string, destination?: string) =>
      [trigger, 'anna', '/anna', join(home, file), join(home, destination ?? '')]
        .join(' ')
        .replace(/\/$/, '')
    expect(trace()).toEqual(
      [
        ['upload', 'a.txt'],
        ['save', 'a.txt'],
        ['copy', 'a.txt', 'b.txt'],
        ['rename', 'a.txt', 'c.txt'],
        ['delete', 'c.txt'],
        ['upload', 'folder'],
      ].flatMap(([event, file = '', destination]) => [
        line(`before_${event}`, file, destination),
        line(`after_${event}`, file, destination),
      ]),
    )
  })

  test('the commands of an event run before and after the change', async () => {
    const look = 'sh -c "ls a.txt >> seen 2>/dev/null || echo none >> seen"'
    await setCommands({ before_upload: [look], after_upload: [look] })
    await upload('a.txt')
    expect(onDisk('seen')).toBe('none\na.txt\n')
  })

  test('the commands of an event run one after the other, and their output is only in the log', async () => {
    await setCommands({ after_upload: ['echo first', 'sh -c "echo second >&2"'] })
    const answer = await anna.call('POST', `${API.resources}/a.txt`, 'x')
    expect(await answer.text()).toBe('200 OK\n')
    await app.server.says(/after_upload: first\n[^\n]*after_upload: second\n/)
  })

  test('the log has at most 100 lines of each output, and says if more were left out', async () => {
    await setCommands({ after_upload: ['seq 100', 'echo full', 'seq 101', 'echo over'] })
    await upload('a.txt')
    await app.server.says(/after_upload: 100\n[^\n]*after_upload: full\n/)
    await app.server.says(
      /after_upload: 100\n[^\n]*after_upload: \(the rest is left out\)\n[^\n]*after_upload: over\n/,
    )
  })

  test('the commands of an event run for resumable uploads too, also for empty ones', async () => {
    await setCommands({ before_upload: [NOTE], after_upload: [NOTE] })
    await anna.call('POST', `${API.tus}/empty.txt`, undefined, { 'Upload-Length': '0' })
    await anna.call('POST', `${API.tus}/t.txt`, undefined, { 'Upload-Length': '3' })
    expect(trace()).toHaveLength(2)
    const headers = { 'Upload-Offset': '0', 'Content-Type': 'application/offset+octet-stream' }
    expect(await outcome(anna.call('PATCH', `${API.tus}/t.txt`, 'abc', headers))).toBe('204')
    expect(trace()).toHaveLength(4)
    expect(onDisk('t.txt')).toBe('abc')
  })
})

test('no command runs for a deletion that may go only to the trash and is refused', async () => {
  mkdirSync(join(home, 'scratch'))
  for (const name of ['scratch/a.txt', 'b.txt']) writeFileSync(join(home, name), 'x')
  await setCommands({ before_delete: [NOTE] })
  const remove = (name: string) =>
    outcome(anna.call('DELETE', `${API.resources}/${name}?onlyToTrash=true`))
  expect(await remove('scratch/a.txt')).toBe('409 conflict')
  expect(existsSync(join(home, 'trace'))).toBe(false)
  expect(await remove('b.txt')).toBe('204')
  expect(trace()).toHaveLength(1)
})

describe('a command before a change that fails', () => {
  test('a failed command before a change prevents it, and the existing file stays complete @spec-7.54 @spec-11.2', async () => {
    writeFileSync(join(home, 'old.txt'), 'old')
    mkdirSync(join(home, 'folder'))
    await setCommands({
      before_upload: ['sh -c "echo M_secret; exit 1"'],
      before_save: ['false'],
      before_copy: ['false'],
      before_rename: ['no-such-program'],
      before_delete: ['false'],
    })
    const answer = await anna.call('POST', `${API.resources}/new.txt`, 'new')
    expect(answer.status).toBe(500)
    const words = await answer.text()
    expect(words).toContain('before_upload')
    expect(words).not.toContain('M_secret')
    expect(await upload('old.txt', 'new', '?override=true')).toBe('500 internal')
    expect(await outcome(anna.call('POST', `${API.resources}/made/`))).toBe('500 internal')
    const old = `${API.resources}/old.txt`
    expect(await outcome(anna.call('PUT', old, 'new'))).toBe('500 internal')
    expect(await outcome(anna.call('DELETE', old))).toBe('500 internal')
    for (const action of ['copy', 'rename']) {
      const address = `${old}?action=${action}&destination=%2Fto.txt`
      expect(await outcome(anna.call('PATCH', address))).toBe('500 internal')
    }
    expect(readdirSync(home).sort()).toEqual(['folder', 'old.txt'])
    expect(onDisk('old.txt')).toBe('old')
  })

  test('a failing command keeps a resumable upload, which is completed when the command succeeds', async () => {
    writeFileSync(join(home, 't.txt'), 'old')
    await setCommands({ before_upload: ['ls go'] })
    const tus = `${API.tus}/t.txt`
    const made = await anna.call('POST', `${tus}?override=true`, undefined, {
      'Upload-Length': '3',
    })
    const exact = made.headers.get('location') ?? ''
    const headers = { 'Upload-Offset': '0', 'Content-Type': 'application/offset+octet-stream' }
    expect(await outcome(anna.call('PATCH', tus, 'abc', headers))).toBe('500 internal')
    expect(onDisk('t.txt')).toBe('old')
    writeFileSync(join(home, 'go'), '')
    expect(await outcome(anna.call('HEAD', tus))).toBe('200')
    expect(onDisk('t.txt')).toBe('abc')
    // The request that publishes the file is recorded, and those after it are not.
    expect(await outcome(anna.call('HEAD', exact))).toBe('200')
    expect(await outcome(anna.call('PATCH', exact, '', { ...headers, 'Upload-Offset': '3' }))).toBe(
      '204',
    )
    const records = await anna.call('GET', `${API.audit}?action=upload&path=t.txt&limit=2`)
    expect(await records.json()).toMatchObject([
      { status: 200, bytes: 3, path: '/t.txt' },
      { status: 500, path: '/t.txt' },
    ])
  })

  test('the commands after a failed one do not run', async () => {
    await setCommands({ before_upload: ['false', NOTE] })
    await upload('a.txt')
    expect(existsSync(join(home, 'trace'))).toBe(false)
  })

  test('a failing background command does not prevent the change', async () => {
    await setCommands({ before_upload: ['false &'] })
    expect(await upload('a.txt')).toBe('200')
    await app.server.says(/before_upload: ended with 1\n/)
  })
})

test('a command that fails after a change is reported, and the change stays', async () => {
  await setCommands({ after_upload: ['false'] })
  const answer = await anna.call('POST', `${API.resources}/a.txt`, 'new')
  expect([answer.status, await answer.text()]).toEqual([
    500,
    expect.stringContaining('after_upload'),
  ])
  expect(onDisk('a.txt')).toBe('new')
})

test('a command line that ends in an ampersand delays no request @spec-7.54', async () => {
  await setCommands({
    after_upload: ['sh -c "while ! ls go; do sleep 0.05; done; echo went > went" &'],
  })
  expect(await upload('a.txt')).toBe('200')
  expect(existsSync(join(home, 'went'))).toBe(false)
  await setCommands({})
  await upload('go')
  while (!existsSync(join(home, 'went'))) await new Promise(setImmediate)
})

describe('a refused change', () => {
  beforeEach(async () => {
    writeFileSync(join(home, 'a.txt'), 'a')
    writeFileSync(join(home, 'b.txt'), 'b')
    const all = ['upload', 'save', 'copy', 'rename', 'delete'].map((event) => [
      `before_${event}`,
      [NOTE],
    ])
    await setCommands(Object.fromEntries(all))
  })

  test('no command runs for a change that is refused @spec-11.29', async () => {
    const poor = await app.person('poor', '--scope', '/anna', ...NOTHING)
    const to = (action: string) => `${API.resources}/a.txt?action=${action}&destination=%2Fb.txt`
    const deeds = [
      ['POST', `${API.resources}/b.txt`],
      ['PATCH', to('copy')],
      ['PATCH', to('rename')],
    ] as const
    for (const person of [poor, anna]) {
      for (const [method, address] of deeds) {
        expect((await person.call(method, address, method === 'POST' ? 'x' : undefined)).ok).toBe(
          false,
        )
      }
    }
    expect((await poor.call('PUT', `${API.resources}/a.txt`, 'x')).status).toBe(403)
    expect((await poor.call('DELETE', `${API.resources}/a.txt`)).status).toBe(403)
    for (const method of ['PUT', 'DELETE']) {
      expect((await anna.call(method, `${API.resources}/none`, undefined)).status).toBe(404)
    }
    expect(readdirSync(home).sort()).toEqual(['a.txt', 'b.txt'])
    expect((await anna.call('DELETE', `${API.resources}/b.txt`)).status).toBe(204)
    expect(trace()).toHaveLength(1)
  })

  const NOTHING = ['create', 'rename', 'modify', 'delete'].map((name) => `--perm.${name}=false`)
})

describe('a hostile name (G-92)', () => {
  const name = 'a;touch pwn;$(touch pwn2)`touch pwn3`.txt'

  test.each<[string, string[], string]>([
    ['as one argument', [], 'cp $FILE copied'],
    ['in the environment of a shell', ['sh', '-c'], 'cp "$FILE" copied'],
    ['spliced by a careless shell line', ['sh', '-c'], 'echo $FILE; cp "$FILE" copied'],
  ])('a hostile name %s is not executed', async (_, shell, line) => {
    await setCommands({ after_upload: [line] }, shell)
    expect(await upload(encodeURIComponent(name))).toBe('200')
    expect(readdirSync(home).sort()).toEqual([name, 'copied'].sort())
  })
})

describe('a name that is not UTF-8', () => {
  /** The byte E9 as in wire/names.ts. */
  const NAME = encodeURIComponent('caf\uefe9')
  // `beforeEach` cannot name it.
  afterEach(() => rmSync(Buffer.from(`${home}/caf\xe9`, 'latin1'), { force: true }))

  test.each<[string, string[], string]>([
    ['as one argument', [], 'cp $FILE copied'],
    ['in the environment of a shell', ['sh', '-c'], 'cp "$FILE" copied'],
    ['as the destination', [], 'sh -c "cp $DESTINATION copied"'],
  ])('a name that is not UTF-8 reaches the command %s', async (_, shell, line) => {
    const isRename = line.includes('DESTINATION')
    await setCommands({ [isRename ? 'after_rename' : 'after_upload']: [line] }, shell)
    if (isRename) {
      expect(await upload('plain')).toBe('200')
      const address = `${API.resources}/plain?action=rename&destination=%2F${NAME}`
      expect(await outcome(anna.call('PATCH', address))).toBe('200')
    } else expect(await upload(NAME)).toBe('200')
    expect(readdirSync(home, 'latin1').sort()).toEqual(['caf\xe9', 'copied'])
  })
})

test('a line that contains only a comment is no command', async () => {
  await setCommands({ after_upload: ['# resize pictures', NOTE, '  '] })
  expect(await upload('a.txt')).toBe('200')
  expect(trace()).toHaveLength(1)
})

describe('the jail of an event', () => {
  test('the jail of an event command is the scope of the user who acts', async () => {
    writeFileSync(join(app.root, 'outside'), 'M(outside)')
    await setCommands({
      after_upload: [
        'sh -c "cat outside ../outside /etc/passwd > stolen; ls -A .. >> stolen; true"',
      ],
    })
    expect(await upload('a.txt')).toBe('200')
    expect(onDisk('stolen')).toBe('')
    const address = `${API.resources}/top.txt`
    expect((await app.admin.call('POST', address, 'x')).status).toBe(200)
    expect(readFileSync(join(app.root, 'stolen'), 'utf8')).toBe('M(outside)')
  })
})

test('a server without --exec runs no event commands', async () => {
  const plain = await openTestApp()
  const settings = (await (await plain.admin.call('GET', API.settings)).json()) as GlobalSettings
  const commands = { before_upload: ['false'] }
  await plain.admin.call('PUT', API.settings, { ...settings, commands })
  expect(await outcome(plain.anna.call('POST', `${API.resources}/a.txt`, 'x'))).toBe('200')
  await plain.stop()
})
