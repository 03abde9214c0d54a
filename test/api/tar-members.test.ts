/** Members of a tar that refer to others or come again: hard links, newer files at the end, sparse files. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import {
  appendFileSync,
  closeSync,
  existsSync,
  ftruncateSync,
  linkSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import { SERVER_LIMITS } from '#server/lib/server-limits.ts'
import type { Decision } from '#wire/api/jobs.ts'
import { API } from '#wire/api/routes.ts'
import { tarOf } from '../support/files/made-archives.ts'
import { outcome } from '../support/server/client.ts'
import { ended, planned, started } from '../support/server/jobs.ts'
import { openTestApp, type TestApp } from '../support/server/test-app.ts'

let app: TestApp
const disk = (...names: string[]) => join(app.root, 'anna', ...names)
beforeAll(async () => {
  app = await openTestApp()
})
afterAll(() => app.stop())

function tar(...args: string[]): void {
  const { exitCode, stderr } = Bun.spawnSync(['tar', ...args])
  expect([exitCode, stderr.toString()]).toEqual([0, ''])
}

async function extracted(archive: string, to: string, decision: Decision = 'refuse') {
  const items = [{ path: `/${archive}`, decision }]
  const job = await started(app.anna, { kind: 'extract', to: `/${to}`, items })
  const { problems, entries } = await ended(app.anna, job.id)
  return { reasons: problems.map(({ part, reason }) => `${part}: ${reason}`), entries }
}

const text = (...names: string[]) => readFileSync(disk(...names), 'utf8')

describe('hard links', () => {
  test.each([
    ['gnu', 'tar'],
    ['pax', 'tar'],
    ['gnu', 'tar.gz'],
  ])(
    'of a %s %s are extracted as copies, listed with their size, and opened',
    async (format, ending) => {
      const folder = disk('links', format, ending)
      mkdirSync(join(folder, 'in'), { recursive: true })
      const long = `${'long '.repeat(30)}name`
      for (const [name, content] of [
        ['a', 'small'],
        ['large', 'x'.repeat(200_000)],
        [long, 'long'],
      ] as const) {
        writeFileSync(join(folder, 'in', name), content)
        linkSync(join(folder, 'in', name), join(folder, 'in', `${name} link`))
      }
      const archive = `hard-${format}.${ending}`
      tar(`--format=${format}`, '--sort=name', '-C', join(folder, 'in'), '-caf', disk(archive), '.')
      const { files } = await planned(app.anna, {
        kind: 'extract',
        to: `/out-${archive}`,
        items: [{ path: `/${archive}` }],
      })
      expect(files).toBe(6)
      const { reasons } = await extracted(archive, `out-${archive}`)
      expect(reasons).toEqual([])
      for (const name of ['a', 'large', long]) {
        expect(text(`out-${archive}`, `${name} link`) === text(`out-${archive}`, name)).toBe(true)
      }
      const { items, leftOut } = await (
        await app.anna.call('GET', `${API.archive}/${archive}`)
      ).json()
      const sizes = items.map(({ name, size }: { name: string; size: number }) => [name, size])
      expect([leftOut, new Map(sizes).get('large link')]).toEqual([0, 200_000])
      const opened = await app.anna.call('GET', `${API.archiveFile}/${archive}?inside=/a%20link`)
      expect(await opened.text()).toBe('small')
    },
  )

  test('lead only to what this archive has written', async () => {
    writeFileSync(disk('secret'), 'of somebody')
    mkdirSync(disk('strict'))
    writeFileSync(disk('strict/there'), 'there before')
    const link = (name: string, target: string) => ({ name, type: '1', link: target })
    writeFileSync(
      disk('strict.tar'),
      tarOf(
        { name: 'there', content: 'in the archive' },
        link('to-taken', 'there'),
        link('out', '../secret'),
        link('root', '/etc/passwd'),
        link('missing', 'nothing'),
        link('self', 'self'),
        link('early', 'late'),
        { name: 'late', content: 'late' },
        { name: 'good', content: 'good' },
        link('good link', './good'),
      ),
    )
    const { reasons } = await extracted('strict.tar', 'strict')
    expect(readdirSync(disk('strict')).sort()).toEqual(['good', 'good link', 'late', 'there'])
    expect([text('strict/there'), text('strict/good link')]).toEqual(['there before', 'good'])
    expect(reasons.length).toBe(7)
  })

  test('count with their size, so that no small archive fills the disk', async () => {
    const content = Buffer.alloc(1024 * 1024)
    const links = Array.from({ length: 400 }, (_, index) => ({
      name: `l${index}`,
      type: '1',
      link: 'a',
    }))
    writeFileSync(disk('bomb.tar'), tarOf({ name: 'a', content }, ...links))
    expect(400 * content.length).toBeGreaterThan(SERVER_LIMITS.extractFreeBytes)
    const many = await planned(app.anna, {
      kind: 'extract',
      to: '/bomb',
      items: [{ path: '/bomb.tar' }],
    })
    expect(many.items[0]?.fault ?? '').toContain('tooLarge')
  })
})

test('the last file of a name counts, as in a tar to which files were added', async () => {
  mkdirSync(disk('added'))
  for (const name of ['a', 'b']) writeFileSync(disk('added', name), `old ${name}`)
  tar('-C', disk('added'), '-cf', disk('added.tar'), 'a', 'b')
  writeFileSync(disk('added/a'), 'new a')
  tar('-C', disk('added'), '-rf', disk('added.tar'), 'a')
  const { reasons, entries } = await extracted('added.tar', 'added-to')
  expect([reasons, text('added-to/a'), text('added-to/b')]).toEqual([[], 'new a', 'old b'])
  for (const decision of ['keepBoth', 'skip', 'replace'] as const) {
    const more = await extracted('added.tar', 'added-to', decision)
    expect([decision, more.reasons]).toEqual([decision, []])
  }
  expect(readdirSync(disk('added-to')).sort()).toEqual(['a', 'a(1)', 'b', 'b(1)'])
  expect([text('added-to/a'), text('added-to/a(1)')]).toEqual(['new a', 'new a'])
  expect(entries.length).toBe(1)
})

describe('sparse files', () => {
  test.each([
    ['gnu', ''],
    ['pax', '0.0'],
    ['pax', '0.1'],
    ['pax', '1.0'],
  ])('of the format %s %s are extracted with their zeros', async (format, version) => {
    const name = `sparse-${format}${version}`
    mkdirSync(disk(name))
    const file = openSync(disk(name, 'disk.img'), 'w')
    // More pieces than the header has room for.
    for (let piece = 0; piece < 40; piece += 1) writeSync(file, `piece ${piece}`, piece * 100_000)
    ftruncateSync(file, 5_000_001)
    closeSync(file)
    appendFileSync(disk(name, 'after'), 'after')
    const more = version === '' ? [] : [`--sparse-version=${version}`]
    tar(
      '-S',
      `--format=${format}`,
      ...more,
      '-C',
      disk(name),
      '-cf',
      disk(`${name}.tar`),
      'disk.img',
      'after',
    )
    expect(statSync(disk(`${name}.tar`)).size).toBeLessThan(1_000_000)
    const { reasons } = await extracted(`${name}.tar`, `${name}-to`)
    expect([reasons, text(`${name}-to/after`)]).toEqual([[], 'after'])
    const [before, after] = [disk(name, 'disk.img'), disk(`${name}-to/disk.img`)].map((path) =>
      readFileSync(path),
    )
    expect(before?.equals(after ?? Buffer.of())).toBe(true)
    const { items } = await (await app.anna.call('GET', `${API.archive}/${name}.tar`)).json()
    expect(items.map(({ size }: { size: number }) => size).toSorted()).toEqual([5, 5_000_001])
  })

  test('with too many zeros are left out, and the rest is extracted', async () => {
    mkdirSync(disk('huge'))
    const file = openSync(disk('huge/disk.img'), 'w')
    ftruncateSync(file, 2 ** 40)
    closeSync(file)
    writeFileSync(disk('huge/after'), 'after')
    tar('-S', '-C', disk('huge'), '-cf', disk('huge.tar'), 'disk.img', 'after')
    const { reasons } = await extracted('huge.tar', 'huge-to')
    expect(reasons.join()).toContain('disk.img: It is a sparse file')
    expect([readdirSync(disk('huge-to')), existsSync(disk('huge-to/disk.img'))]).toEqual([
      ['after'],
      false,
    ])
    expect(
      await outcome(app.anna.call('GET', `${API.archiveFile}/huge.tar?inside=/disk.img`)),
    ).toBe('404 notFound')
  })
})
