/** A link without a target is an entry of its own: what replaces it takes its name, and nothing is written through it. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { API } from '#wire/api/routes.ts'
import { parsePath } from '#wire/paths.ts'
import type { BatchResult } from '#wire/shapes/batch.ts'
import { outcome } from '../support/server/client.ts'
import { ended, started } from '../support/server/jobs.ts'
import { openTestApp, type TestApp } from '../support/server/test-app.ts'

let app: TestApp
beforeAll(async () => {
  app = await openTestApp()
})
afterAll(() => app.stop())

const disk = (...names: string[]) => join(app.root, 'anna', ...names)
const tusHeaders = { 'Tus-Resumable': '1.0.0', 'Upload-Length': '3' }

/** Each way to put a file with the content `new` at `name`, with the wish to replace what is there. */
const WAYS: Record<string, (name: string) => Promise<string>> = {
  POST: (name) => outcome(app.anna.call('POST', `${API.resources}/${name}?override=true`, 'new')),
  tus: async (name) => {
    const url = `${API.tus}/${name}`
    const begun = await app.anna.call('POST', `${url}?override=true`, undefined, tusHeaders)
    if (begun.status !== 201) return `${begun.status}`
    return outcome(
      app.anna.call('PATCH', url, 'new', {
        'Tus-Resumable': '1.0.0',
        'Upload-Offset': '0',
        'Content-Type': 'application/offset+octet-stream',
      }),
    )
  },
  batch: async (name) => {
    const form = new FormData()
    form.append('info', JSON.stringify({ path: name, size: 3 }))
    form.append('file', new Blob(['new']), 'file')
    const answer = await app.anna.call('POST', `${API.batch}/?override=true`, form)
    const { results }: { results: BatchResult[] } = await answer.json()
    return results.map(({ status }) => `${status}`).join()
  },
  copy: (name) => transfer('copy', name),
  rename: (name) => transfer('rename', name),
  extract: async (name) => {
    mkdirSync(disk('packed'), { recursive: true })
    writeFileSync(disk('packed', name), 'new')
    const packed = Bun.spawnSync(['tar', '-C', disk('packed'), '-cf', disk('packed.tar'), name])
    if (packed.exitCode !== 0) return packed.stderr.toString()
    const items = [{ path: parsePath('/packed.tar'), decision: 'replace' as const }]
    const job = await started(app.anna, { kind: 'extract', items, to: parsePath('/') })
    const { state, problems } = await ended(app.anna, job.id)
    return `${state} ${JSON.stringify(problems)}`
  },
  job: async (name) => {
    writeFileSync(disk('from'), 'new')
    mkdirSync(disk('source'), { recursive: true })
    writeFileSync(disk('source', name), 'new')
    const items = [{ path: parsePath(`/source/${name}`), decision: 'replace' as const }]
    const job = await started(app.anna, { kind: 'copy', items, to: parsePath('/') })
    const { state, problems } = await ended(app.anna, job.id)
    return `${state} ${JSON.stringify(problems)}`
  },
}

function transfer(action: string, name: string): Promise<string> {
  writeFileSync(disk('from'), 'new')
  const query = `action=${action}&destination=%2F${name}&override=true`
  return outcome(app.anna.call('PATCH', `${API.resources}/from?${query}`))
}

describe.each([
  ['without a target', 'nowhere'],
  ['to itself', 'SELF'],
])('a link %s', (_, text) => {
  test.each(Object.keys(WAYS))('is replaced by %s, and its undo brings it back', async (way) => {
    const name = `${way}-${text}`
    const target = text === 'SELF' ? name : `target-${name}`
    symlinkSync(target, disk(name))
    const answer = await WAYS[way]?.(name)
    expect(answer).toMatch(/^(20[014]|done \[\])/)
    expect(lstatSync(disk(name)).isFile()).toBe(true)
    expect(readFileSync(disk(name), 'utf8')).toBe('new')
    expect(lstatSync(disk(name)).mode & 0o111).toBe(0)
    if (text !== 'SELF') expect(existsSync(disk(target))).toBe(false)
    const [entry] = await (await app.anna.call('GET', API.journal)).json()
    const undone = await app.anna.call('POST', `${API.journal}/undo`, { id: entry.id })
    expect(undone.status).toBe(200)
    expect(readlinkSync(disk(name))).toBe(target)
  })

  test('is not saved, and no folder is created through it', async () => {
    const name = `kept-${text}`
    const target = text === 'SELF' ? name : `target-${name}`
    symlinkSync(target, disk(name))
    const saved = await app.anna.call('PUT', `${API.resources}/${name}`, 'new')
    expect([saved.status, await saved.text()]).toEqual([
      404,
      'The target of this link does not exist.\n',
    ])
    for (const path of [`${name}/`, `${name}/sub/`, `${name}/file`]) {
      const answer = await app.anna.call('POST', `${API.resources}/${path}?override=true`, '')
      expect([path, answer.status < 300]).toEqual([path, false])
    }
    const refused = await outcome(app.anna.call('POST', `${API.resources}/${name}`, 'new'))
    expect(refused).toBe('409 conflict')
    expect(readlinkSync(disk(name))).toBe(target)
    expect(readdirSync(disk()).includes(`target-${name}`)).toBe(false)
  })
})

test('a link to a file is written through', async () => {
  writeFileSync(disk('real'), 'old')
  symlinkSync('real', disk('live'))
  const url = `${API.resources}/live?override=true`
  expect(await outcome(app.anna.call('POST', url, 'new'))).toBe('200')
  expect(readlinkSync(disk('live'))).toBe('real')
  expect(readFileSync(disk('real'), 'utf8')).toBe('new')
})
