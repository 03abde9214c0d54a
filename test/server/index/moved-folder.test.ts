/** The thread of the index sends no result under a path that it no longer has. */
import { afterEach, beforeEach, expect, test } from 'bun:test'
import { closeSync, mkdirSync, openSync, renameSync, rmdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { IndexThread } from '#server/index/index-thread.ts'
import type { NameBatch } from '#server/index/protocol.ts'
import { splitAtNul } from '#server/index/sent-names.ts'
import { parsePath } from '#wire/paths.ts'
import { temporaryFolder } from '../../support/files/tree.ts'

/** More names than the first batch holds. */
const FILE_COUNT = 150
const SEARCH = 1

let folder: ReturnType<typeof temporaryFolder>
let root: number
let index: IndexThread
let batches: NameBatch[]

const disk = (name: string) => join(folder.path, name)

/** Moves an entry on the disk, as the server does it. */
function move(from: string, to: string): void {
  renameSync(disk(from), disk(to))
  index.changed([from, to].map(parsePath))
}

const sentPaths = () => batches.flatMap(({ paths }) => splitAtNul(paths))

/** Opens an index of `/searched/sub`, and searches for its files in `/searched`. */
beforeEach(async () => {
  folder = temporaryFolder()
  mkdirSync(disk('searched/sub'), { recursive: true })
  for (let file = 0; file < FILE_COUNT; file += 1) writeFileSync(disk(`searched/sub/x${file}`), '')
  root = openSync(folder.path, 'r')
  batches = []
  const request = {
    root,
    ownPaths: { files: [], folders: [] },
    file: '',
    madeFrom: '',
    memoryBytes: 2 ** 28,
    freshMs: Number.POSITIVE_INFINITY,
    readAgainMs: Number.POSITIVE_INFINITY,
  }
  index = new IndexThread(request, (response) => {
    if ('batch' in response) batches.push(response.batch)
  })
  await index.open()
  await index.search(SEARCH, parsePath('/searched'), 'x')
})

afterEach(() => {
  closeSync(root)
  folder.remove()
})

test('further results of a search are sent on request', () => {
  index.more(SEARCH)
  expect(sentPaths()).toHaveLength(FILE_COUNT)
  expect(sentPaths()).toContain(`sub/x${FILE_COUNT - 1}`)
})

test('after the searched folder is moved, its results are not sent', () => {
  const before = sentPaths()
  move('/searched', '/elsewhere')
  index.more(SEARCH)
  expect(sentPaths()).toEqual(before)
})

test('after the searched folder is removed, another folder with its id has no results', () => {
  const before = sentPaths()
  move('/searched/sub', '/sub')
  rmdirSync(disk('searched'))
  index.changed([parsePath('/searched')])
  mkdirSync(disk('other'))
  index.changed([parsePath('/other')])
  move('/sub', '/other/sub')
  index.more(SEARCH)
  expect(batches.at(-1)?.isLast).toBe(true)
  expect(sentPaths()).toEqual(before)
})
