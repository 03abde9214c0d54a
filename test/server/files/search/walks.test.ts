/** Walks through whole trees, watches and free names: what they follow, and when they end. */
import { expect, test } from 'bun:test'
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { Scope } from '#server/access/scope/scope.ts'
import { transfer } from '#server/files/content/transfer.ts'
import { FolderWatchers } from '#server/files/listing/folder-watchers.ts'
import { recursive } from '#server/files/listing/recursive.ts'
import { search } from '#server/files/search/search.ts'
import { CONCURRENCY_LIMITS } from '#server/limits/concurrency-limits.ts'
import { FolderNodes } from '#server/storage/folder-nodes.ts'
import { childPath, parsePath, ROOT } from '#wire/paths.ts'
import { scopeOn } from '../../../support/files/archives.ts'
import { NO_SHARES } from '../../../support/storage/path-listener.ts'
import { code, serveForEach } from '../../../support/storage/served.ts'

const served = serveForEach({
  fill: () => {
    mkdirSync(disk('a/deep'), { recursive: true })
    for (const name of ['a/one', 'a/deep/two']) writeFileSync(disk(name), name)
    symlinkSync('deep', disk('a/link'))
  },
})
const { disk } = served

test('a search follows no links, and ends with its client', async () => {
  const scope = scopeOn(served.storage)
  const { signal } = new AbortController()
  const { index, hits } = await search(scope, ROOT, '', signal)
  expect(index).toBeUndefined()
  const found = (await Array.fromAsync(hits)).flat()
  expect(found.map(({ path }) => path).sort()).toEqual([
    'a',
    'a/deep',
    'a/deep/two',
    'a/link',
    'a/one',
  ])
  const left = new AbortController()
  const seen: string[] = []
  for await (const batch of (await search(scope, ROOT, '', left.signal)).hits) {
    seen.push(...batch.map(({ path }) => path))
    left.abort()
  }
  expect(seen).toEqual(['a'])
})

test('a recursive list follows no links, needs a folder, and ends with its client', async () => {
  const scope = scopeOn(served.storage)
  const left = new AbortController()
  const list = async () => recursive(scope, parsePath('/a'), left.signal)
  const all = await Array.fromAsync(await list())
  expect(all.map(({ path }) => String(path))).toEqual([
    '/a/deep',
    '/a/deep/two',
    '/a/link',
    '/a/one',
  ])
  expect(await code(recursive(scope, parsePath('/a/one'), left.signal))).toBe('badRequest')
  const seen: string[] = []
  for await (const { path } of await list()) {
    seen.push(path)
    left.abort()
  }
  expect(seen).toEqual(['/a/deep'])
})

test('a recursive list contains all entries of a subfolder with a million', async () => {
  const folder = await scopeOn(served.storage).stat(parsePath('/a'))
  const file = await scopeOn(served.storage).stat(parsePath('/a/one'))
  const nodes = Array.from({ length: 1_000_000 }, (_, number) => {
    return { ...file, path: childPath(folder.path, `${number}`) }
  })
  const large = {
    stat: async () => folder,
    openFolder: async (path: string) => ({
      children: async () => FolderNodes.of(path === ROOT ? [folder] : nodes),
      [Symbol.dispose]: () => undefined,
    }),
  } as unknown as Scope
  let count = 0
  for await (const _ of await recursive(large, ROOT, new AbortController().signal)) count += 1
  expect(count).toBe(1 + nodes.length)
}, 60_000)

test('a watch that fails returns its permit', async () => {
  const watching = new FolderWatchers()
  const scope = scopeOn(served.storage)
  const listener = { changed: () => undefined, ended: () => undefined }
  for (let turn = 0; turn <= CONCURRENCY_LIMITS.watches.perKey; turn += 1) {
    expect(await code(watching.watch(scope, parsePath('/nothing'), listener))).toBe('notFound')
  }
  using watch = await watching.watch(scope, parsePath('/a'), listener)
  expect(watch).toBeDefined()
})

test('if a free name is taken before the copy, the next free name is used', async () => {
  const { actor } = scopeOn(served.storage, { perm: ['create', 'rename', 'modify', 'download'] })
  writeFileSync(disk('to'), 'first')
  // Another writer, such as an event command, takes the free name between the check and the change.
  let taken = false
  const scope = new Scope(served.storage, actor, NO_SHARES, async () => {
    if (!taken) writeFileSync(disk('to(1)'), 'theirs')
    taken = true
  })
  const options = { action: 'copy', from: parsePath('/a/one'), to: parsePath('/to') } as const
  const now = await transfer(scope, { ...options, override: true, rename: true })
  expect(String(now)).toBe('/to(2)')
  expect(readFileSync(disk('to(1)'), 'utf8')).toBe('theirs')
})
