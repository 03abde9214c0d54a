/** An extraction compares names as uploads do: in the canonical form, and without case where the disk ignores it. */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { JobRequest } from '#wire/api/jobs.ts'
import { parsePath } from '#wire/paths.ts'
import { ended, planned, started } from '../support/server/jobs.ts'
import { openTestApp, type TestApp } from '../support/server/test-app.ts'

const [NFC, NFD] = ['\u00dcbung', 'U\u0308bung']

let app: TestApp
const disk = (...names: string[]) => join(app.root, 'anna', ...names)

beforeAll(async () => {
  app = await openTestApp()
})
afterAll(() => app.stop())

/** Packs files; each has its name as content. */
function pack(format: 'zip' | 'tar', archive: string, names: readonly string[]): void {
  const program = `
import sys, io, zipfile, tarfile
archive, names = sys.argv[2], sys.argv[3:]
if sys.argv[1] == 'zip':
    with zipfile.ZipFile(archive, 'w') as to:
        for name in names: to.writestr(name, name)
else:
    with tarfile.open(archive, 'w') as to:
        for name in names:
            data = name.encode(); info = tarfile.TarInfo(name); info.size = len(data)
            to.addfile(info, io.BytesIO(data))`
  const run = Bun.spawnSync(['python3', '-c', program, format, archive, ...names])
  expect(run.stderr.toString()).toBe('')
}

function request(archive: string, to: string, decision: 'replace' | 'keepBoth' | 'refuse') {
  const items = [{ path: parsePath(`/${archive}`), decision }]
  return { kind: 'extract', items, to: parsePath(`/${to}`) } satisfies JobRequest
}

test.each(['zip', 'tar'] as const)(
  'a name of a %s that exists in another form is taken, and keeps its form',
  async (format) => {
    const to = `taken-${format}`
    mkdirSync(disk(to, `${NFC} dir`), { recursive: true })
    for (const name of [NFC, `${NFC} dir/${NFC}`]) writeFileSync(disk(to, name), 'old')
    const archive = `taken.${format}`
    pack(format, disk(archive), [NFD, `${NFD} dir/${NFD}`, `${NFD} dir/new`])
    const plan = await planned(app.anna, request(archive, to, 'refuse'))
    expect(plan.taken).toBe(2)
    const refused = await started(app.anna, request(archive, to, 'refuse'))
    expect((await ended(app.anna, refused.id)).problems.map(({ fault }) => fault)).toEqual([
      'conflict',
      'conflict',
    ])
    const replaced = await started(app.anna, request(archive, to, 'replace'))
    expect((await ended(app.anna, replaced.id)).problems).toEqual([])
    expect(readdirSync(disk(to)).toSorted()).toEqual([NFC, `${NFC} dir`])
    expect(readdirSync(disk(to, `${NFC} dir`)).toSorted()).toEqual(['new', NFC])
    expect(readFileSync(disk(to, NFC), 'utf8')).toBe(NFD)
  },
)

test.each(['zip', 'tar'] as const)(
  'two forms of a name in a %s are two files on a disk that has both',
  async (format) => {
    const archive = `both.${format}`
    pack(format, disk(archive), [NFC, NFD, 'a', 'A'])
    const to = `both-${format}`
    const job = await started(app.anna, request(archive, to, 'refuse'))
    expect((await ended(app.anna, job.id)).problems).toEqual([])
    expect(readdirSync(disk(to)).toSorted()).toEqual(['A', NFD, 'a', NFC])
    for (const name of readdirSync(disk(to)))
      expect(readFileSync(disk(to, name), 'utf8')).toBe(name)
  },
)

test.each(['zip', 'tar'] as const)(
  'of two forms of a taken name in a %s, the second does not replace the first',
  async (format) => {
    const archive = `again.${format}`
    const to = `again-${format}`
    mkdirSync(disk(to))
    writeFileSync(disk(to, NFC), 'old')
    pack(format, disk(archive), [NFD, NFC])
    const plan = await planned(app.anna, request(archive, to, 'replace'))
    expect([plan.taken, plan.refused]).toEqual([1, 1])
    const job = await started(app.anna, request(archive, to, 'replace'))
    const { problems } = await ended(app.anna, job.id)
    expect(problems.map(({ part, fault }) => [part, fault])).toEqual([
      [NFC, 'conflict; reason=nameTwice'],
    ])
    expect(readFileSync(disk(to, NFC), 'utf8')).toBe(NFD)
  },
)
