/** The search of the finder, by name and in texts (docs/api.md 26). */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { mkdirSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Found } from '#wire/api/find.ts'
import { API } from '#wire/api/routes.ts'
import { type Client, outcome, signIn } from '../support/server/client.ts'
import { PASSWORD } from '../support/server/passwords.ts'
import { openTestApp, type TestApp } from '../support/server/test-app.ts'

let app: TestApp
beforeAll(async () => {
  app = await openTestApp()
  const old = new Date('2020-03-01')
  for (const [path, bytes] of Object.entries(FILES)) {
    mkdirSync(join(app.root, path, '..'), { recursive: true })
    writeFileSync(join(app.root, path), new Uint8Array(bytes))
    utimesSync(join(app.root, path), old, old)
  }
  const now = new Date()
  utimesSync(join(app.root, 'archive/report new.txt'), now, now)
})
afterAll(() => app.stop())

const FILES = {
  'work/report.pdf': 10,
  'work/sub/annual report.txt': 3000,
  'archive/report old.txt': 10,
  'archive/report new.txt': 10,
  'anna/report mine.txt': 10,
  'anna/secret/report.txt': 10,
}

async function find(who: Client, folder: string, query: string, only = false): Promise<string[]> {
  const words = new URLSearchParams({ query, ...(only && { only: 'true' }) })
  const answer = await who.call('GET', `${API.find}${folder}?${words}`)
  expect(answer.status).toBe(200)
  const { hits, isPartial }: Found = await answer.json()
  expect(isPartial).toBe(false)
  return hits.map(({ path }) => path)
}

test('a search is refused without a session; users find files in their scope, and nothing that a rule denies @spec-7.44', async () => {
  expect(await outcome(app.anonymous.call('GET', `${API.find}/?query=x`))).toBe(
    '401 unauthenticated',
  )
  expect(await find(app.anna, '/', 'report')).toEqual(['/report mine.txt', '/secret/report.txt'])
  await app.runCommand('rules', 'add', '/secret', '--user', 'anna')
  const anna = await signIn(app.url, 'anna', PASSWORD)
  expect(await find(anna, '/', 'report')).toEqual(['/report mine.txt'])
  expect(await outcome(anna.call('GET', `${API.find}/secret/?query=report`))).toBe('403 forbidden')
})

test('results of the current folder come first, then recently changed ones @spec-7.44', async () => {
  expect(await find(app.admin, '/work/', 'report')).toEqual([
    '/work/report.pdf',
    '/work/sub/annual report.txt',
    '/archive/report new.txt',
    '/anna/secret/report.txt',
    '/archive/report old.txt',
    '/anna/report mine.txt',
  ])
  expect(await find(app.admin, '/work/', 'report', true)).toEqual([
    '/work/report.pdf',
    '/work/sub/annual report.txt',
  ])
})

test('words and conditions narrow a search; each result has its size and type @spec-7.44', async () => {
  expect(await find(app.admin, '/', 'report type:pdf')).toEqual(['/work/report.pdf'])
  expect(await find(app.admin, '/', 'report in:archive after:2024')).toEqual([
    '/archive/report new.txt',
  ])
  expect(await find(app.admin, '/', 'report larger:2K before:2021')).toEqual([
    '/work/sub/annual report.txt',
  ])
  expect(await find(app.admin, '/', 'archive report old')).toEqual(['/archive/report old.txt'])
  expect(await find(app.admin, '/', 'type:folder su')).toEqual(['/work/sub'])
  const answer = await app.admin.call('GET', `${API.find}/?query=annual`)
  expect((await answer.json()).hits).toMatchObject([
    { name: 'annual report.txt', size: 3000, isDir: false, type: 'text' },
  ])
})

test('if no name contains the text, names that contain its letters in this order are found', async () => {
  expect(await find(app.admin, '/', 'anual')).toEqual(['/work/sub/annual report.txt'])
  expect(await find(app.admin, '/', 'zzz')).toEqual([])
})

test('if nothing has all words, names with one typing mistake in a word are found @spec-7.44', async () => {
  expect(await find(app.admin, '/', 'annaul reprot')).toEqual(['/work/sub/annual report.txt'])
  expect(await find(app.admin, '/', 'raport type:pdf')).toEqual(['/work/report.pdf'])
  expect(await find(app.admin, '/', 'report secrat')).toEqual([])
  // A rule denies the folder of the other one.
  const anna = await signIn(app.url, 'anna', PASSWORD)
  expect(await find(anna, '/', 'raport')).toEqual(['/report mine.txt'])
})

test('a search for exact names finds no similar ones, and says when there may be some @spec-7.44', async () => {
  const exact = async (query: string): Promise<Found> =>
    (await app.admin.call('GET', `${API.find}/?exact=true&query=${query}`)).json()
  const few = await exact('annual')
  expect(few.hits.map(({ name }) => name)).toEqual(['annual report.txt'])
  expect(few.hasSimilar).toBe(true)
  expect(await exact('reprot')).toEqual({ hits: [], total: 0, isPartial: false, hasSimilar: true })
  expect(await find(app.admin, '/', 'reprot')).not.toEqual([])
  // Two words have no similar names, unless one of them is mistyped.
  expect((await exact('annual%20report')).hasSimilar).toBeUndefined()
})

test('the length of a search text is limited', async () => {
  const long = app.admin.call('GET', `${API.find}/?query=${'x'.repeat(513)}`)
  expect(await outcome(long)).toBe('400 badRequest')
})

test('a search returns fifty results at most @spec-9.2', async () => {
  mkdirSync(join(app.root, 'many'))
  for (let at = 0; at < 60; at += 1) writeFileSync(join(app.root, 'many', `note ${at}`), '')
  expect(await find(app.admin, '/', 'note')).toHaveLength(50)
})

test('all results are reached in pages, each once, and their number is that of all', async () => {
  mkdirSync(join(app.root, 'pages'))
  const names = Array.from({ length: 277 }, (_, at) => `leaf ${at}.txt`)
  for (const name of names) writeFileSync(join(app.root, 'pages', name), 'x'.repeat(2))
  const page = async (query: string, offset: number): Promise<Found> => {
    const address = `${API.find}/?query=${encodeURIComponent(query)}&offset=${offset}`
    return (await app.admin.call('GET', address)).json()
  }
  // Without a condition, only the first results are read; a condition on the size needs all.
  for (const query of ['leaf', 'leaf larger:1']) {
    const found: string[] = []
    for (let offset = 0; offset < 300; offset += 50) {
      const { hits, total, isPartial } = await page(query, offset)
      expect([total, isPartial]).toEqual([277, false])
      found.push(...hits.map(({ name }) => name))
    }
    expect(found.toSorted()).toEqual(names.toSorted())
  }
  expect((await page('leaf larger:2', 0)).total).toBe(0)
  const bad = app.admin.call('GET', `${API.find}/?query=leaf&offset=-1`)
  expect(await outcome(bad)).toBe('400 badRequest')
})

test('of more results than can be shown, the response says that there are more @limit-44', async () => {
  mkdirSync(join(app.root, 'crowd'))
  for (let at = 0; at < 5001; at += 1) writeFileSync(join(app.root, 'crowd', `grain ${at}`), '')
  const answer = await app.admin.call('GET', `${API.find}/crowd/?query=grain&only=true`)
  const { total, isPartial }: Found = await answer.json()
  expect([total, isPartial]).toEqual([5000, true])
})

test('words are found inside text files, with their line, by those who may download @spec-7.44', async () => {
  const findText = (who: Client, query: string, folder = '/') =>
    who.call('GET', `${API.findText}${folder}?${new URLSearchParams({ query })}`)
  mkdirSync(join(app.root, 'letters'))
  const lines = ['Dear Anna,', `${'x'.repeat(200)} the Lighthouse keeper sends his regards`, 'bye']
  writeFileSync(join(app.root, 'letters/may.txt'), lines.join('\n'))
  writeFileSync(join(app.root, 'letters/june.txt'), 'the lighthouse\nand the keeper\n')
  writeFileSync(join(app.root, 'letters/picture.png'), 'the lighthouse keeper')
  symlinkSync('may.txt', join(app.root, 'letters/link.txt'))
  const answer = await findText(app.admin, 'lighthouse keeper')
  const { hits, isPartial } = await answer.json()
  expect(isPartial).toBe(false)
  expect(hits).toMatchObject([{ path: '/letters/may.txt', line: 2, type: 'text' }])
  expect(hits[0].excerpt).toContain('the Lighthouse keeper sends')
  expect(hits[0].excerpt.length).toBeLessThanOrEqual(160)
  expect((await (await findText(app.admin, 'lighthouse after:2100')).json()).hits).toEqual([])
  expect((await (await findText(app.admin, 'th')).json()).hits).toEqual([])
  writeFileSync(join(app.root, 'letters/words.txt'), '中国の灯台\n등대\n')
  for (const word of ['灯', '灯台', '등대', '国の']) {
    const found = await (await findText(app.admin, word)).json()
    expect([word, found.hits.map(({ path }: { path: string }) => path)]).toEqual([
      word,
      ['/letters/words.txt'],
    ])
  }

  const bea = await app.person(
    'bea',
    '--scope',
    '/letters',
    '--perm.download=false',
    '--perm.share=false',
  )
  expect(await outcome(findText(bea, 'lighthouse'))).toBe('403 forbidden')
  const cai = await app.person('cai', '--scope', '/letters')
  await app.runCommand('rules', 'add', '/may.txt', '--user', 'cai')
  const again = await signIn(app.url, 'cai', PASSWORD)
  const seen = await (await findText(again, 'lighthouse')).json()
  expect(seen.hits.map(({ path }: { path: string }) => path)).toEqual(['/june.txt'])
  expect(await outcome(findText(cai, 'lighthouse'))).toBe('401 unauthenticated')
})

test('a search in texts returns a limited number of files, and says whether there are more @spec-7.44 @limit-44', async () => {
  mkdirSync(join(app.root, 'diary'))
  const found = async () => {
    const answer = await app.admin.call('GET', `${API.findText}/diary/?query=snowfall&only=true`)
    const { hits, isPartial } = await answer.json()
    return [hits.length, isPartial]
  }
  for (let at = 0; at < 20; at += 1) writeFileSync(join(app.root, `diary/${at}.txt`), 'snowfall')
  expect(await found()).toEqual([20, false])
  writeFileSync(join(app.root, 'diary/more.txt'), 'snowfall')
  expect(await found()).toEqual([20, true])
})
