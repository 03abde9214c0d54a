/** The index of names finds what a walk finds, whatever has happened to the tree. */
import { expect, test } from 'bun:test'
import {
  lstatSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { parsePath } from '#wire/paths.ts'
import { scopeOn } from '../../support/files/archives.ts'
import { found, indexForEach, walked } from '../../support/storage/indexed.ts'

const indexed = indexForEach((disk) => {
  mkdirSync(disk('docs/deep/deeper'), { recursive: true })
  mkdirSync(disk('empty'))
  for (const name of [
    'docs/Report.PDF',
    'docs/deep/report 2.pdf',
    'docs/deep/deeper/ÄRGER.txt',
    'docs/deep/a\nb.jpg',
    'docs/İstanbul.mp4',
    '.hidden',
    '100%.txt',
  ])
    writeFileSync(disk(name), name)
  writeFileSync(Buffer.from(`${disk('docs/')}caf\xe9.txt`, 'latin1'), '')
  symlinkSync('docs', disk('link to docs'))
  symlinkSync('/etc', disk('link outside'))
  symlinkSync('nowhere', disk('dangling'))
  symlinkSync('loop', disk('loop'))
})
const { disk } = indexed

const QUERIES = [
  '',
  'report',
  'REPORT',
  'case:sensitive report',
  'case:sensitive Report',
  'ärger',
  'istanbul',
  'İstanbul',
  'a\nb',
  'type:pdf',
  'type:PDF',
  'type:video type:image',
  'type:pdf 2',
  'o e',
  '"report 2"',
  'caf\uefe9',
  'link',
  'dangling',
  '%',
  '/',
  '\0',
  '.',
]

async function expectSame(folders = ['/', '/docs', '/docs/deep', '/link to docs', '/missing']) {
  for (const folder of folders.map(parsePath)) {
    for (const query of QUERIES) {
      const answer = await found(scopeOn(indexed.storage), query, folder)
      const expected = await walked(indexed.storage, query, folder)
      expect({ folder, query, paths: answer.paths }).toEqual({ folder, query, paths: expected })
    }
  }
}

test('every search has the same results with the index as without @spec-7.45', async () => {
  await neverCheck()
  await expectSame()
  expect(await found(scopeOn(indexed.storage), 'report')).toEqual({
    paths: ['docs/Report.PDF', 'docs/deep/report 2.pdf'],
    indexed: true,
  })
  expect((await found(scopeOn(indexed.storage), 'link')).paths).toEqual(['link to docs/'])
})

/** Restarts the index without further checks of the disk, and waits for the first one. */
async function neverCheck(): Promise<void> {
  await indexed.restart({ freshMs: Number.POSITIVE_INFINITY })
  await found(scopeOn(indexed.storage), '')
}

/** Pseudo-random numbers that are the same in every run. */
function randomNumbers(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0
    return (state >>> 8) % below
  }
}

/** Whether a name is taken, also by a dangling link. */
function isTaken(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined
}

/** Folders and files of the tree, without links. */
function namesBelow(folder = ''): { folders: string[]; files: string[] } {
  const all = { folders: [folder || '/'], files: [] as string[] }
  for (const name of readdirSync(disk(folder)).sort()) {
    const path = `${folder}/${name}`
    if (name.startsWith('.filemgr') || name.includes('\ufffd')) continue
    const stats = lstatSync(disk(path))
    if (stats.isDirectory()) {
      const below = namesBelow(path)
      all.folders.push(...below.folders)
      all.files.push(...below.files)
    } else if (stats.isFile()) all.files.push(path)
  }
  return all
}

const seeds = [2, 3, 5, 6]

test.each(seeds)('own changes are found at once: sequence %d @spec-7.45', async (seed) => {
  await neverCheck()
  const roll = randomNumbers(seed)
  const pick = <T>(from: readonly T[]) => from[roll(from.length)] as T
  for (let step = 0; step < 40; step += 1) {
    const { folders, files } = namesBelow()
    const into = join(pick(folders), `${pick(['report', 'new', 'PHOTO.jpg'])} ${roll(30)}`)
    const to = parsePath(into)
    const from = parsePath(pick([...folders.slice(1), ...files, ...files]) ?? 'nothing')
    const overwrite = roll(2) === 0
    const { storage } = indexed
    const change = pick([
      () => storage.write(to, new Uint8Array(3), { overwrite }),
      () => storage.mkdir(parsePath(`${into}/x/y`)),
      () => storage.move(from, to, { overwrite }),
      () => storage.copy(from, to, { overwrite }),
      () => storage.remove(from),
    ])
    // A refused change, such as a folder into itself, changes nothing.
    await change().catch(() => undefined)
    if (roll(3) > 0) continue
    const { paths, indexed: byIndex } = await found(scopeOn(storage), '')
    expect(byIndex).toBe(true)
    expect({ seed, step, paths }).toEqual({ seed, step, paths: await walked(storage, '') })
  }
  await expectSame()
})

test.each(seeds)(
  'the check finds changes that others made: sequence %d @spec-7.45',
  async (seed) => {
    await indexed.restart({ freshMs: 0 })
    const roll = randomNumbers(seed)
    const pick = <T>(from: readonly T[]) => from[roll(from.length)] as T
    for (let step = 0; step < 40; step += 1) {
      const { folders, files } = namesBelow()
      const into = disk(`${pick(folders)}/${pick(['report', 'new', 'PHOTO.jpg'])} ${roll(30)}`)
      const from = disk(pick([...folders.slice(1), ...files, ...files]) ?? 'nothing')
      const moves = !isTaken(into) && !into.startsWith(`${from}/`)
      pick([
        () => !isTaken(into) && writeFileSync(into, 'x'),
        () => mkdirSync(join(isTaken(into) ? disk('') : into, 'x', 'y'), { recursive: true }),
        () => moves && isTaken(from) && renameSync(from, into),
        () => rmSync(from, { recursive: true, force: true }),
        () => !isTaken(into) && symlinkSync(pick(['.', 'nowhere', '/etc', from]), into),
      ])()
      if (roll(3) > 0) continue
      const { paths, indexed: byIndex } = await found(scopeOn(indexed.storage), '')
      expect(byIndex).toBe(true)
      expect({ seed, step, paths }).toEqual({
        seed,
        step,
        paths: await walked(indexed.storage, ''),
      })
    }
    await expectSame()
  },
)
