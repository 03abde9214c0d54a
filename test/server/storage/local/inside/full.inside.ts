/** Run by two-disks.test.ts, where `root` and `root/disk` are small file systems of their own. */
import { afterEach, beforeEach, expect, spyOn, test } from 'bun:test'
import {
  existsSync,
  mkdirSync,
  promises,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { LocalStorage } from '#server/storage/local/local-storage.ts'
import { Fault } from '#wire/fault.ts'
import { parsePath } from '#wire/paths.ts'
import { code, STORAGE_OPTIONS } from '../../../../support/storage/served.ts'
import { disksInside } from '../../../../support/system/inside.ts'

const root = join(disksInside(), 'root')
const disk = (name: string) => join(root, name)
let storage: LocalStorage
beforeEach(async () => {
  storage = await LocalStorage.open(root, STORAGE_OPTIONS)
  mkdirSync(disk('disk/tree'))
  writeFileSync(disk('disk/tree/file'), '')
})
afterEach(() => {
  storage.close()
  Bun.spawnSync(['sh', '-c', `rm -rf '${root}'/fill* '${root}'/moved '${root}'/disk/*`])
})

/** Creates files until the file system is full, then removes `free` of them. */
function fill(below: string, free = 0): void {
  let number = 0
  try {
    for (; ; number += 1) writeFileSync(disk(`${below}fill${number}`), '')
  } catch (error) {
    expect(String(error)).toContain('ENOSPC')
  }
  for (let last = 1; last <= free; last += 1) rmSync(disk(`${below}fill${number - last}`))
}
const remove = (path: string) => code(storage.remove(parsePath(path)))

test('on a full file system below the root, a removal is recorded and completed', async () => {
  const records = () => readdirSync(disk('.filemgr/volumes'))
  // Room for all, for one folder of the two that the server needs, and for none.
  for (const free of [3, 1, 0]) {
    mkdirSync(disk(`disk/tree${free}`))
    fill('disk/', free)
    const written: string[] = []
    const original = promises.rm
    const removals = spyOn(promises, 'rm').mockImplementation((path, options) => {
      written.push(
        ...records().map((name) => readFileSync(disk(`.filemgr/volumes/${name}`), 'utf8')),
      )
      return original(path, options)
    })
    expect(await remove(`/disk/tree${free}`)).toBe('no fault')
    removals.mockRestore()
    if (free === 3) expect(written).toEqual(['/disk'])
    else expect(written.join()).toMatch(/^\/disk\/\.filemgr-[0-9a-f]{24}$/)
    expect(records()).toEqual([])
    const left = readdirSync(disk('disk')).filter((name) => !name.startsWith('fill'))
    expect(left).toEqual(['tree'])
    Bun.spawnSync(['sh', '-c', `rm -rf '${root}'/disk/fill*`])
  }
})

test('on a full file system below the root, an entry that is moved away is recorded, and restored if the move is refused', async () => {
  fill('disk/')
  const seen: string[] = []
  const move = (to: string, accept?: () => void) =>
    code(
      storage.move(parsePath('/disk/tree'), parsePath(to), {
        overwrite: true,
        ...(accept && { accept }),
      }),
    )
  const look = () => {
    const records = readdirSync(disk('.filemgr/volumes'))
    seen.push(...records.map((name) => readFileSync(disk(`.filemgr/volumes/${name}`), 'utf8')))
    if (!existsSync(disk('disk/tree'))) throw new Fault('forbidden', 'Not there.')
  }
  expect(await move('/moved', look)).toBe('forbidden')
  expect(seen.join()).toMatch(/^\/disk\/\.filemgr-[0-9a-f]{24}m\0tree\0[0-9a-f]{24}$/)
  const left = () => readdirSync(disk('disk')).filter((name) => !name.startsWith('fill'))
  expect(left()).toEqual(['tree'])
  expect(readdirSync(disk('disk/tree'))).toEqual(['file'])
  expect(readdirSync(disk('.filemgr/volumes'))).toEqual([])
  expect(await move('/moved')).toBe('no fault')
  expect(left()).toEqual([])
  expect(readdirSync(disk('moved'))).toEqual(['file'])
  expect(readdirSync(disk('.filemgr/volumes'))).toEqual([])
})

test('if only the file system of the root is full, files are written to another one', async () => {
  fill('')
  const write = storage.write(parsePath('/disk/new'), new Uint8Array(1), { overwrite: false })
  expect(await code(write)).toBe('no fault')
  expect(readdirSync(disk('disk')).sort()).toEqual(['new', 'tree'])
  expect(readdirSync(disk('.filemgr/volumes'))).toEqual([])
})

test('if the root is full from the start, a removed tree is in the folder that the next start clears', async () => {
  storage.close()
  mkdirSync(disk('tree/deep'), { recursive: true })
  fill('')
  storage = await LocalStorage.open(root, STORAGE_OPTIONS)
  const seen: string[][] = []
  const original = promises.rm
  const removals = spyOn(promises, 'rm').mockImplementation((path, options) => {
    const reserved = readdirSync(root).filter((name) => name.startsWith('.filemgr-'))
    seen.push([...reserved, ...readdirSync(disk('.filemgr/work'))])
    return original(path, options)
  })
  expect(await remove('/tree')).toBe('no fault')
  removals.mockRestore()
  expect(seen).toEqual([[expect.stringMatching(/^doomed-[0-9a-f]{24}$/)]])
  expect(readdirSync(disk('.filemgr/work'))).toEqual([])
})
