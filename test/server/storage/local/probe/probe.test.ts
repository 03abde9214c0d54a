/** What a file system lacks for several servers, tried with real files. */
import { afterEach, beforeEach, expect, test } from 'bun:test'
import { mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { openFolder } from '#server/storage/local/handles/descriptor.ts'
import { makeNames } from '#server/storage/local/probe/names-made.ts'
import { lacksAt, lacksIn } from '#server/storage/local/probe/probe.ts'
import { PathHandle } from '#server/storage/portable/path-handle.ts'
import { lacksBetween } from '#server/storage/probe.ts'
import { temporaryFolder } from '../../../../support/files/tree.ts'
import { serveForEach } from '../../../../support/storage/served.ts'

let folder: ReturnType<typeof temporaryFolder>
beforeEach(() => {
  folder = temporaryFolder()
  mkdirSync(at('one'))
  mkdirSync(at('two'))
})
afterEach(() => folder.remove())
const at = (name: string) => join(folder.path, name)

test('a local disk lacks nothing, and nothing is left on it', async () => {
  using one = openFolder(at('one'))
  expect(await lacksIn(one, 'trials')).toEqual([])
  expect(readdirSync(at('one'))).toEqual([])
})

test('the calls of every system lack only the exchange of names', async () => {
  using one = PathHandle.openTop(at('one'))
  expect(await lacksIn(one, 'trials')).toEqual(['exchanges'])
  expect(readdirSync(at('one'))).toEqual([])
})

test('a folder that was not served has nothing to try in', async () => {
  expect(await lacksAt(at('one'), openFolder)).toBeUndefined()
  mkdirSync(join(at('one'), '.filemgr'))
  expect(await lacksAt(at('one'), openFolder)).toEqual([])
  expect(readdirSync(join(at('one'), '.filemgr'))).toEqual([])
})

test('two that make names in one folder get each name once', async () => {
  using one = openFolder(at('one'))
  using again = openFolder(at('one'))
  const [first, second] = await Promise.all([makeNames(one, 'a'), makeNames(again, 'b')])
  expect(lacksBetween(first, second)).toEqual([])
  expect(first.created.length + second.created.length).toBe(40)
  expect(first.renamed.length + second.renamed.length).toBe(40)
})

test('two that do not see each other get the same names, which is noticed', async () => {
  using one = openFolder(at('one'))
  using two = openFolder(at('two'))
  const [first, second] = [await makeNames(one, 'a'), await makeNames(two, 'b')]
  expect(lacksBetween(first, second)).toEqual(['namesOnce'])
  for (const made of ['created', 'renamed'] as const) {
    const onlyOnce = { ...first, [made]: [] }
    expect(lacksBetween(onlyOnce, second)).toEqual(['namesOnce'])
    expect(lacksBetween({ created: [], renamed: [] }, second)).toEqual([])
  }
})

const served = serveForEach()

test('a meeting is in the folder of this process, and no other path is a meeting', async () => {
  const { sharing } = served.storage.can
  if (!sharing) throw new Error('The folder can be written.')
  const work = served.disk('.filemgr/work')
  const [own = ''] = readdirSync(work)
  const meeting = await sharing.openMeeting()
  expect(readdirSync(join(work, own))).toEqual([meeting.split('/')[1] ?? ''])
  const [first, second] = await Promise.all([
    sharing.makeNames(meeting, 'a'),
    sharing.makeNames(meeting, 'b'),
  ])
  expect(lacksBetween(first, second)).toEqual([])
  await sharing.closeMeeting(meeting)
  expect(readdirSync(join(work, own))).toEqual([])
  await expect(sharing.makeNames(meeting, 'a')).rejects.toMatchObject({ code: 'notFound' })
  for (const path of ['..', `${own}/..`, `../uploads/${own}`, `${own}/${own}/x`, '']) {
    await expect(sharing.makeNames(path, 'a')).rejects.toMatchObject({ code: 'badRequest' })
  }
})
