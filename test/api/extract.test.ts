/** Archives extracted as jobs: those of real programs, and malicious ones. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { crc32, gzipSync } from 'node:zlib'
import { SERVER_LIMITS } from '#server/lib/server-limits.ts'
import type { Decision, Job, JobRequest } from '#wire/api/jobs.ts'
import { API } from '#wire/api/routes.ts'
import { DEPTH_MAX } from '#wire/paths.ts'
import { FORMAT_NAMES } from '../support/files/archives.ts'
import { type Entry, tarOf, zipOf } from '../support/files/made-archives.ts'
import { temporaryFolder } from '../support/files/tree.ts'
import { type Client, outcome, signIn } from '../support/server/client.ts'
import { control, ended, planned, started, until } from '../support/server/jobs.ts'
import { PASSWORD } from '../support/server/passwords.ts'
import { startServer } from '../support/server/server.ts'
import { openTestApp, type TestApp } from '../support/server/test-app.ts'

const MIB = 1024 * 1024

let app: TestApp
beforeAll(async () => {
  app = await openTestApp()
})
afterAll(() => app.stop())

const disk = (...names: string[]) => join(app.root, 'anna', ...names)
const text = (name: string) => (existsSync(disk(name)) ? readFileSync(disk(name), 'utf8') : '')

function extraction(path: string, to: string, decision: Decision = 'refuse'): JobRequest {
  return { kind: 'extract', items: [{ path, decision }], to }
}

async function extracted(
  path: string,
  to: string,
  decision: Decision = 'refuse',
  who: Client = app.anna,
): Promise<Job> {
  const { id } = await started(who, extraction(path, to, decision))
  return ended(who, id)
}

function put(path: string, content: string | Uint8Array): void {
  mkdirSync(disk(path, '..'), { recursive: true })
  writeFileSync(disk(path), content)
}

/** Everything in a folder with its content. */
function treeOf(folder: string): Record<string, string> {
  const names = readdirSync(disk(folder), { recursive: true, encoding: 'utf8' }).sort()
  const entries = names.map((name) => {
    const path = disk(folder, name)
    const isFile = !readdirSync(join(path, '..'), { withFileTypes: true })
      .find((entry) => join(entry.parentPath, entry.name) === path)
      ?.isDirectory()
    return [name, isFile ? Bun.hash(readFileSync(path)).toString(16) : 'folder'] as const
  })
  return Object.fromEntries(entries)
}

async function run(cwd: string, ...words: string[]): Promise<void> {
  const child = Bun.spawn(words, { cwd, stdout: 'ignore', stderr: 'pipe' })
  const stderr = await new Response(child.stderr).text()
  if ((await child.exited) !== 0) throw new Error(`${words.join(' ')}: ${stderr}`)
}

/** Local headers with zip64 fields and data descriptors. */
const ZIP64 = `
import os, sys, zipfile
class Pipe:
    def __init__(self, file): self.file = file
    def write(self, data): return self.file.write(data)
    def flush(self): self.file.flush()
with open('wide.zip', 'wb') as file, zipfile.ZipFile(Pipe(file), 'w', zipfile.ZIP_DEFLATED) as zip:
    for folder, _, names in os.walk('src'):
        zip.write(folder)
        for name in names:
            path = os.path.join(folder, name)
            with zip.open(zipfile.ZipInfo(path), 'w', force_zip64=True) as out:
                out.write(open(path, 'rb').read())
`

describe('archives of other programs', () => {
  beforeAll(() => {
    put('real/src/large', randomBytes(3 * MIB))
    put('real/src/text', 'line after line\n'.repeat(100_000))
    put('real/src/empty', '')
    put(`real/src/deep/${'n'.repeat(180)}`, 'a long name')
    put('real/src/deep/grüße 日本.txt', 'signs')
    mkdirSync(disk('real/src/nothing'))
  })

  const MADE: Record<string, string[]> = {
    'gnu.tar': ['tar', '--format=gnu', '-cf', 'gnu.tar', 'src'],
    'pax.tar': ['tar', '--format=pax', '-cf', 'pax.tar', 'src'],
    'gzip.tgz': ['tar', '-czf', 'gzip.tgz', 'src'],
    'bzip2.tar.bz2': ['tar', '-cjf', 'bzip2.tar.bz2', 'src'],
    'xz.tar.xz': ['tar', '-cJf', 'xz.tar.xz', 'src'],
    'zstd.tar.zst': ['tar', '--zstd', '-cf', 'zstd.tar.zst', 'src'],
    'lz4.tar.lz4': ['sh', '-c', 'tar -cf - src | lz4 -q -BD > lz4.tar.lz4'],
    'info.zip': ['zip', '-qr', 'info.zip', 'src'],
    'stored.zip': ['zip', '-qr0', 'stored.zip', 'src'],
    'streamed.zip': ['sh', '-c', 'zip -qr - src | cat > streamed.zip'],
    'wide.zip': ['python3', '-c', ZIP64],
  }
  for (const [name, words] of Object.entries(MADE)) {
    test(`the archive ${name} is extracted unchanged`, async () => {
      await run(disk('real'), ...words)
      const { state, failed } = await extracted(`/real/${name}`, `/real/${name}-out`)
      expect([state, failed]).toEqual(['done', 0])
      expect(treeOf(`real/${name}-out/src`)).toEqual(treeOf('real/src'))
    })
  }

  test('an archive that filemgr made is extracted, in every format', async () => {
    for (const format of FORMAT_NAMES) {
      const archive = await app.anna.call('GET', `${API.raw}/real/src/?algo=${format}`)
      const ending = format.replace(/^tar(.)/, 'tar.$1')
      put(`own/${format}.${ending}`, new Uint8Array(await archive.arrayBuffer()))
      const { state, failed } = await extracted(`/own/${format}.${ending}`, `/own/${format}`)
      expect([format, state, failed]).toEqual([format, 'done', 0])
      expect(treeOf(`own/${format}`)).toEqual(treeOf('real/src'))
    }
  }, 60_000)
})

/** The fault of a name that leads outside the destination, which the interface words. */
const OUTSIDE = 'badRequest; reason=nameOutside'

describe('the plan', () => {
  test('the plan counts entries and bytes, and lists taken names and refused entries @spec-7.56', async () => {
    const hostile = { name: '../out', content: 'x' }
    put(
      'plan/a.zip',
      zipOf({ name: 'new', content: '12' }, { name: 'f/old', content: '345' }, hostile),
    )
    put('plan/f/old', 'old')
    const plan = await planned(app.anna, extraction('/plan/a.zip', '/plan'))
    expect(plan).toMatchObject({
      kind: 'extract',
      files: 2,
      // The zip does not list it.
      folders: 1,
      bytes: 5,
      taken: 1,
      refused: 1,
    })
    expect(plan.items).toMatchObject([
      { part: '../out', fault: OUTSIDE, problem: 'The name leads outside the folder.' },
      { part: 'f/old', to: '/plan/f/old', taken: true, fault: '', problem: '' },
    ])
    expect(plan.free - plan.freeAfter).toBe(5)
  })

  test('entries that may not be replaced are refused and not counted', async () => {
    const keeper = await app.person('keeper', '--scope', '/anna', '--perm.modify=false')
    put('keep/a.tar', tarOf({ name: 'old', content: 'new' }))
    put('keep/old', 'old')
    const plan = await planned(keeper, extraction('/keep/a.tar', '/keep', 'replace'))
    expect(plan).toMatchObject({ files: 0, folders: 0, bytes: 0, taken: 0, refused: 1 })
    expect(plan.items).toMatchObject([{ part: 'old', fault: 'forbidden' }])
  })

  test('refused and taken entries have each half of the list of a plan', async () => {
    const names = Array.from({ length: SERVER_LIMITS.planItemsShown }, (_, index) => `n${index}`)
    const taken = names.map((name) => ({ name, content: '' }))
    const refused = names.map((name) => ({ name: `../${name}`, content: '' }))
    for (const name of names) put(`half/${name}`, '')
    const faultsOf = async (...entries: Entry[]) => {
      put('half/a.zip', zipOf(...entries))
      const { items } = await planned(app.anna, extraction('/half/a.zip', '/half'))
      return items.map(({ fault }) => fault)
    }
    const half = SERVER_LIMITS.planItemsShown / 2
    expect(await faultsOf(...taken, ...refused)).toEqual([
      ...Array(half).fill(OUTSIDE),
      ...Array(half).fill(''),
    ])
    expect((await faultsOf(...taken, ...refused.slice(0, 1))).slice(0, 2)).toEqual([OUTSIDE, ''])
    expect(await faultsOf(...refused)).toEqual(names.map(() => OUTSIDE))
  })

  test('an entry with too many levels below its destination is refused, and nothing of it is written', async () => {
    const name = `${'d/'.repeat(DEPTH_MAX - 2)}f`
    put('levels/a.zip', zipOf({ name, content: 'x' }, { name: 'other', content: 'y' }))
    const plan = await planned(app.anna, extraction('/levels/a.zip', '/levels'))
    expect(plan).toMatchObject({ files: 2, refused: 0 })
    const below = await planned(app.anna, extraction('/levels/a.zip', '/levels/to'))
    expect(below).toMatchObject({ files: 1, refused: 1 })
    const job = await extracted('/levels/a.zip', '/levels/to')
    expect(job.problems[0]?.fault).toBe(`badRequest; reason=tooDeep; levels=${DEPTH_MAX}`)
    expect(readdirSync(disk('levels/to'))).toEqual(['other'])
  })

  test('an outdated plan is refused, and the new one has another tag', async () => {
    put('stale/a.tar', tarOf({ name: 'one', content: '1' }))
    const request = extraction('/stale/a.tar', '/stale')
    const { tag } = await planned(app.anna, request)
    put('stale/one', 'taken meanwhile')
    expect(await outcome(app.anna.call('POST', API.jobs, { ...request, plan: tag }))).toBe(
      '409 conflict',
    )
    put('stale/a.tar', tarOf({ name: 'two', content: '2' }))
    expect((await planned(app.anna, request)).tag).not.toBe(tag)
  })

  test('an extraction creates its missing destination folder, but not the parents of it', async () => {
    put('place/a.tar', tarOf({ name: 'one', content: '1' }))
    const deep = await planned(app.anna, extraction('/place/a.tar', '/place/x/y'))
    expect(deep.items[0]?.problem).toBe('The folder does not exist.')
    expect((await extracted('/place/a.tar', '/place/x')).state).toBe('done')
    expect(text('place/x/one')).toBe('1')
    put('place/plain.txt', 'no archive')
    const none = await planned(app.anna, extraction('/place/plain.txt', '/place'))
    expect(none.items[0]?.problem).toBe('This is not an archive that can be extracted.')
  })

  test('the plan reads the first part of a long archive, and reports that there is more @limit-65', async () => {
    const part = randomBytes(2 * MIB)
    const large = Array.from({ length: 132 }, (_, at) => ({ name: `${at}`, content: part }))
    put('long/a.tar', tarOf(...large))
    const plan = await planned(app.anna, extraction('/long/a.tar', '/long/to'))
    expect([plan.isPartial, plan.isLarge]).toEqual([true, true])
    expect(plan.bytes).toBeGreaterThan(SERVER_LIMITS.planArchiveBytes)
    expect(plan.files).toBeLessThan(132)
  })
})

describe('names that are taken', () => {
  for (const [decision, there, beside] of [
    ['refuse', 'old', ''],
    ['replace', 'new', ''],
    ['keepBoth', 'old', 'new'],
    ['skip', 'old', ''],
  ] as const) {
    test(`a taken name is handled as decided: ${decision}`, async () => {
      const folder = `taken-${decision}`
      put(
        `${folder}/a.tar`,
        tarOf({ name: 'f/a.txt', content: 'new' }, { name: 'b', content: 'b' }),
      )
      put(`${folder}/f/a.txt`, 'old')
      const job = await extracted(`/${folder}/a.tar`, `/${folder}`, decision)
      expect([job.state, job.failed]).toEqual(['done', decision === 'refuse' ? 1 : 0])
      expect(text(`${folder}/f/a.txt`)).toBe(there)
      expect(text(`${folder}/f/a(1).txt`)).toBe(beside)
      expect(text(`${folder}/b`)).toBe('b')
    })
  }

  test('a failed entry is listed, and retried alone', async () => {
    put('again/a.tar', tarOf({ name: 'a', content: 'new' }, { name: 'b', content: 'b' }))
    put('again/a', 'old')
    const job = await extracted('/again/a.tar', '/again')
    expect(job.problems).toMatchObject([{ path: '/again/a.tar', part: 'a', fault: 'conflict' }])
    await Bun.file(disk('again/a')).delete()
    put('again/b', 'changed since')
    expect(await outcome(control(app.anna, job.id, 'retry', job.problems[0]?.id))).toBe('200')
    const { failed, items } = await ended(app.anna, job.id)
    expect([failed, items, text('again/a'), text('again/b')]).toEqual([
      0,
      1,
      'new',
      'changed since',
    ])
  })
})

test.each(['zip', 'tar'] as const)(
  'an executable in a %s stays executable, without its setuid bit',
  async (format) => {
    const entries = [
      { name: 'program', mode: 0o104755 },
      { name: 'text', mode: 0o106644 },
    ]
    put(`modes.${format}`, format === 'zip' ? zipOf(...entries) : tarOf(...entries))
    const { state, failed } = await extracted(`/modes.${format}`, `/modes-${format}`)
    expect([state, failed]).toEqual(['done', 0])
    const modes = entries.map(({ name }) => statSync(disk(`modes-${format}/${name}`)).mode & 0o7777)
    // The modes that the server gives to new files: 640, and 750 for an executable.
    expect(modes).toEqual([0o750, 0o640])
  },
)

test('an extraction is one change, which is undone completely @spec-7.56', async () => {
  put('undo/a.tar', tarOf({ name: 'f/new', content: 'new' }, { name: 'old', content: 'new' }))
  put('undo/old', 'old')
  const { entries } = await extracted('/undo/a.tar', '/undo', 'replace')
  expect(entries).toHaveLength(1)
  expect(text('undo/f/new') + text('undo/old')).toBe('newnew')
  const [id] = entries
  expect(await outcome(app.anna.call('POST', `${API.journal}/undo`, { id }))).toBe('200')
  expect([existsSync(disk('undo/f')), text('undo/old')]).toEqual([false, 'old'])
})

describe('who may', () => {
  test('a user without the right to create extracts nothing, and one without the right to modify replaces nothing', async () => {
    const reader = await app.person('reader', '--scope', '/anna', '--perm.create=false')
    const adder = await app.person('adder', '--scope', '/anna', '--perm.modify=false')
    put('may/a.tar', tarOf({ name: 'a', content: 'new' }, { name: 'b', content: 'b' }))
    put('may/a', 'old')
    const none = await extracted('/may/a.tar', '/may', 'refuse', reader)
    expect(none.problems[0]?.reason).toBe('You do not have permission to create files or folders.')
    expect(existsSync(disk('may/b'))).toBe(false)
    const some = await extracted('/may/a.tar', '/may', 'replace', adder)
    expect(some.problems).toMatchObject([{ part: 'a', fault: 'forbidden; reason=rightMissing' }])
    expect([text('may/a'), text('may/b')]).toEqual(['old', 'b'])
  })

  test('a user without the right to download gets no names from an archive', async () => {
    const args = ['--scope', '/anna', '--perm.download=false', '--perm.share=false']
    const blind = await app.person('blind', ...args)
    put('blind/a.zip', zipOf({ name: 'secret name', content: 'x' }))
    const plan = await planned(blind, extraction('/blind/a.zip', '/blind/to'))
    expect(plan.items.map(({ part, problem }) => [part, problem])).toEqual([
      ['', 'You do not have permission to download.'],
    ])
    await extracted('/blind/a.zip', '/blind/to', 'refuse', blind)
    expect(existsSync(disk('blind/to'))).toBe(false)
  })

  test('rules apply to each path that is written, and to the archive', async () => {
    await app.runCommand('users', 'add', 'ruled', PASSWORD, '--scope', '/anna')
    await app.runCommand('rules', 'add', '/ruled/f/secret', '--user', 'ruled')
    await app.runCommand('rules', 'add', '/ruled/hidden.tar', '--user', 'ruled')
    const ruled = await signIn(app.url, 'ruled', PASSWORD)
    const tar = tarOf({ name: 'f/secret/x', content: 'x' }, { name: 'f/open', content: 'open' })
    put('ruled/a.tar', tar)
    put('ruled/hidden.tar', tar)
    const job = await extracted('/ruled/a.tar', '/ruled', 'refuse', ruled)
    expect(job.problems).toMatchObject([
      { part: 'f/secret/x', fault: 'forbidden; reason=ruleDenies' },
    ])
    expect([existsSync(disk('ruled/f/secret')), text('ruled/f/open')]).toEqual([false, 'open'])
    const hidden = await planned(ruled, extraction('/ruled/hidden.tar', '/ruled'))
    expect(hidden.items[0]?.problem).toBe('You do not have access to this.')
  })
})

describe('malicious archives', () => {
  /** Extracts an archive with a good entry and this one. @returns why this one is refused */
  async function refusal(entry: Entry, of: 'tar' | 'zip', index: string): Promise<string> {
    const good = { name: 'good', content: 'good' }
    const make = of === 'tar' ? tarOf : zipOf
    put(`hostile/${index}/a.${of}`, make(entry, good))
    const { state, problems } = await extracted(`/hostile/${index}/a.${of}`, `/hostile/${index}/to`)
    expect([state, text(`hostile/${index}/to/good`)]).toEqual(['done', 'good'])
    expect(readdirSync(disk(`hostile/${index}/to`))).toEqual(['good'])
    return problems[0]?.reason ?? ''
  }
  const HOSTILE: [title: string, of: 'tar' | 'zip', entry: Entry, reason: string][] = [
    ['an absolute name', 'tar', { name: '/tmp/evil' }, 'The name is absolute.'],
    ['an absolute name', 'zip', { name: '/tmp/evil' }, 'The name is absolute.'],
    [
      'a name that leads out',
      'tar',
      { name: 'a/../../evil' },
      'The name leads outside the folder.',
    ],
    ['a name that leads out', 'zip', { name: '../evil' }, 'The name leads outside the folder.'],
    ['a link', 'tar', { name: 'link', type: '2' }, 'It is a link, and is left out.'],
    [
      'a link',
      'zip',
      { name: 'link', content: '/etc', mode: 0o120777 },
      'It is a link, and is left out.',
    ],
    [
      'a second name of a file',
      'tar',
      { name: 'hard', type: '1' },
      'It is a link, and is left out.',
    ],
    ['a device', 'tar', { name: 'null', type: '3' }, 'It is a device file, and is left out.'],
    ['a device', 'zip', { name: 'null', mode: 0o020666 }, 'It is a device file, and is left out.'],
    ['a name with a NUL', 'zip', { name: 'a\0b' }, 'A name cannot hold a NUL character'],
    [
      'a damaged entry',
      'zip',
      { name: 'x', content: 'x', says: { crc: 1 } },
      'The archive is damaged.',
    ],
    [
      'an entry that is longer than it says',
      'zip',
      { name: 'x', content: 'xx', says: { sizeBytes: 1 } },
      'The archive is damaged.',
    ],
    [
      'an unknown compression',
      'zip',
      { name: 'x', says: { method: 98 } },
      'It is compressed with PPMd, which is not known here.',
    ],
  ]
  for (const [at, [title, of, entry, reason]] of HOSTILE.entries()) {
    test(`${title} in a ${of} is refused by name, and the rest is extracted`, async () => {
      expect(await refusal(entry, of, String(at))).toContain(reason)
    })
  }

  test('a name that occurs twice in a zip is extracted once', async () => {
    put('twice/a.zip', zipOf({ name: 'a', content: 'first' }, { name: './a', content: 'second' }))
    const { failed, problems } = await extracted('/twice/a.zip', '/twice/to', 'replace')
    expect([failed, problems[0]?.reason]).toEqual([1, 'The archive contains this name twice.'])
    expect(text('twice/to/a')).toBe('first')
  })

  test('a name that is not UTF-8 keeps its bytes', async () => {
    const name = Buffer.from('caf\xe9', 'latin1')
    put('bytes/a.tar', tarOf({ name, content: 'tar' }))
    put('bytes/a.zip', zipOf({ name, content: 'zip', flags: 0 }))
    for (const of of ['tar', 'zip']) {
      expect((await extracted(`/bytes/a.${of}`, `/bytes/${of}`)).failed).toBe(0)
      const [found] = readdirSync(disk('bytes', of), { encoding: 'buffer' })
      expect(found).toEqual(name)
    }
  })

  const whole = async (path: string) => {
    const { state, problems } = await extracted(path, '/whole/to')
    const [problem] = problems
    return [state, problem?.part, problem?.reason]
  }

  test('an encrypted archive is refused', async () => {
    put('whole/secret.zip', zipOf({ name: 'a', content: 'a', flags: 1 }))
    const reason = 'The archive is encrypted. Extract it with the program that made it.'
    expect((await whole('/whole/secret.zip')).slice(1)).toEqual(['', reason])
  })

  test('a damaged archive is refused', async () => {
    const tar = tarOf({ name: 'a', content: randomBytes(5000) })
    const zip = zipOf({ name: 'a', content: 'a' })
    const DAMAGED: Record<string, Uint8Array> = {
      'cut.tar': tar.subarray(0, 3000),
      'cut.tar.gz': gzipSync(tar).subarray(0, -100),
      'cut.zip': zip.subarray(0, -1),
      'text.tar': Buffer.alloc(600, 'a'),
      'text.zip': Buffer.from('no zip at all'),
      'text.tar.xz': Buffer.alloc(600, 'a'),
      'text.tar.bz2': Buffer.alloc(600, 'a'),
      'text.tar.lz4': Buffer.alloc(600, 'a'),
    }
    for (const [name, bytes] of Object.entries(DAMAGED)) {
      put(`whole/${name}`, bytes)
      expect([name, ...(await whole(`/whole/${name}`)).slice(1)]).toEqual([
        name,
        '',
        'The archive is damaged.',
      ])
    }
    expect(existsSync(disk('whole/to'))).toBe(false)
  })

  test('an archive bomb is refused by its real size, whatever its headers say @limit-51', async () => {
    const zeros = Buffer.alloc(SERVER_LIMITS.extractFreeBytes + MIB)
    put('whole/bomb.tar.gz', gzipSync(tarOf({ name: 'zeros', content: zeros })))
    put('whole/bomb.zip', zipOf({ name: 'zeros', content: zeros }))
    const reason = `The archive is refused: it holds more than ${SERVER_LIMITS.extractRatioMax} times its own size.`
    for (const name of ['bomb.tar.gz', 'bomb.zip']) {
      expect([name, ...(await whole(`/whole/${name}`)).slice(1)]).toEqual([name, '', reason])
    }
    expect(existsSync(disk('whole/to'))).toBe(false)
  }, 60_000)

  test('an archive that asks for gigabytes of memory is refused, in its first block and in a later one @limit-64', async () => {
    put('memory/a.tar', tarOf({ name: 'a', content: 'a' }))
    await run(disk('memory'), 'xz', '-9', '--check=crc32', '--keep', 'a.tar')
    expect((await extracted('/memory/a.tar.xz', '/memory/to')).state).toBe('done')
    const honest = readFileSync(disk('memory/a.tar.xz'))
    const hostile = Buffer.from(honest)
    // The block header: its size, flags, one filter with one property, the size of the dictionary.
    hostile[12 + 4] = 40
    hostile.writeUInt32LE(crc32(hostile.subarray(12, 20)), 20)
    put('whole/first.tar.xz', hostile)
    put('whole/later.tar.xz', Buffer.concat([honest, hostile]))
    const reason = 'The archive is refused: it needs too much memory.'
    for (const name of ['first.tar.xz', 'later.tar.xz']) {
      const { problems } = await extracted(`/whole/${name}`, '/whole/memory')
      expect([name, problems[0]?.reason]).toEqual([name, reason])
    }
  })

  test('a zip with 65 536 entries is counted correctly, and an archive with more entries than the limit is refused @limit-50', async () => {
    const folders = (count: number) =>
      Array.from({ length: count }, (_, at) => ({ name: `${at}/`, mode: 0o040755, type: '5' }))
    put('whole/many.zip', zipOf(...folders(65_536)))
    const { files, folders: counted } = await planned(
      app.anna,
      extraction('/whole/many.zip', '/whole/to'),
    )
    expect([files, counted]).toEqual([0, 65_536])
    const reason = 'The archive is refused: it has too many entries.'
    put('whole/more.tar', tarOf(...folders(SERVER_LIMITS.extractEntriesMax + 1)))
    const plan = await planned(app.anna, extraction('/whole/more.tar', '/whole/to'))
    expect(plan.items.map(({ problem }) => problem)).toContain(reason)
  }, 60_000)

  test('an extraction lets a limited number of entries fail one by one @limit-57', async () => {
    const links = Array.from({ length: SERVER_LIMITS.partsFailedMax + 1 }, (_, at) => ({
      name: `${at}`,
      type: '2',
    }))
    put('fail/a.tar', tarOf({ name: 'good', content: 'good' }, ...links))
    const { problems } = await extracted('/fail/a.tar', '/fail/to')
    const reasons = problems.map(({ part, reason }) => (part === '' ? reason : ''))
    expect(reasons).toContain(`More than ${SERVER_LIMITS.partsFailedMax} entries failed.`)
  })

  test.each([
    [
      'a tar',
      'tar',
      (name: string) => tarOf({ name: '././@LongLink', type: 'L', content: name }, { name }),
    ],
    ['a zip', 'zip', (name: string) => zipOf({ name })],
  ])(
    'a name in %s that is too long for a path is refused, and shortened in the message @limit-59',
    async (_, kind, archiveOf) => {
      const name = 'n'.repeat(5000)
      put(`long/a.${kind}`, archiveOf(name))
      const plan = await planned(app.anna, extraction(`/long/a.${kind}`, '/long/to'))
      expect(plan.items.map(({ part, problem }) => [part, problem])).toEqual([
        [`${name.slice(0, 200)}…`, 'Its name is too long.'],
      ])
    },
  )

  test('the list of failed entries has a limited size @limit-58', async () => {
    const folder = `${'f'.repeat(250)}/`.repeat(12)
    const entries = Array.from({ length: 400 }, (_, at) => ({
      name: `${folder}${at}`,
      mode: 0o120777,
    }))
    put('fail/long.zip', zipOf({ name: 'good', content: 'good' }, ...entries))
    const { problems } = await extracted('/fail/long.zip', '/fail/to-long')
    const reasons = problems.map(({ part, reason }) => (part === '' ? reason : ''))
    expect(reasons).toContain(
      'Too many entries with long names failed, so that they cannot be listed.',
    )
  })
})

describe('while it runs', () => {
  const many = Array.from({ length: 3000 }, (_, at) => ({ name: `f${at}`, content: `${at}` }))

  test('a cancelled extraction leaves complete files, and can be undone', async () => {
    put('stop/a.tar', tarOf(...many))
    const { id } = await started(app.anna, extraction('/stop/a.tar', '/stop/to'))
    await until(app.anna, id, ({ filesDone }) => filesDone > 100)
    expect(await outcome(control(app.anna, id, 'cancel'))).toBe('200')
    const { state, entries } = await ended(app.anna, id)
    const names = readdirSync(disk('stop/to'))
    expect(state).toBe('cancelled')
    expect(names.length).toBeLessThan(many.length)
    for (const name of names) expect(`f${text(`stop/to/${name}`)}`).toBe(name)
    for (const entry of entries.toReversed()) {
      expect(await outcome(app.anna.call('POST', `${API.journal}/undo`, { id: entry }))).toBe('200')
    }
    expect(existsSync(disk('stop/to'))).toBe(false)
  }, 60_000)

  test('a server that is killed continues with an extraction, and writes nothing twice @spec-7.56', async () => {
    const folder = temporaryFolder()
    const root = join(folder.path, 'root')
    mkdirSync(root)
    writeFileSync(join(root, 'a.tar'), tarOf(...many))
    const options = { root, database: join(folder.path, 'kill.db') }
    const first = await startServer(options)
    const { password } = first
    const before = await signIn(first.url, 'admin', password)
    const { id } = await started(before, extraction('/a.tar', '/to', 'keepBoth'))
    await until(before, id, ({ filesDone }) => filesDone > SERVER_LIMITS.extractBatch)
    first.kill('SIGKILL')
    await first.stop()
    const second = await startServer(options)
    try {
      const after = await signIn(second.url, 'admin', password)
      const { state, failed, entries } = await ended(after, id)
      expect([state, failed]).toEqual(['done', 0])
      expect(readdirSync(join(root, 'to')).sort()).toEqual(many.map(({ name }) => name).sort())
      expect(entries.length).toBeGreaterThan(1)
    } finally {
      await second.stop()
      folder.remove()
    }
  }, 60_000)
})
