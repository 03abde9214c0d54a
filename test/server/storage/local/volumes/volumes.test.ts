/** Records of other file systems below the root: with them a start restores what a killed server has left. */
import { afterEach, beforeEach, expect, test } from 'bun:test'
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { FlushQueue } from '#server/flush/flush-queue.ts'
import { openFolder } from '#server/storage/local/handles/descriptor.ts'
import { Volumes } from '#server/storage/local/volumes/volumes.ts'
import { temporaryFolder } from '../../../../support/files/tree.ts'

const RECORD = '.filemgr/volumes/record'

let folder: ReturnType<typeof temporaryFolder>
beforeEach(() => {
  folder = temporaryFolder()
  mkdirSync(disk('.filemgr/volumes'), { recursive: true })
  mkdirSync(disk('mount'))
  writeFileSync(disk(RECORD), '/mount')
})
afterEach(() => folder.remove())

const disk = (name: string) => join(folder.path, name)

async function start(): Promise<void> {
  using root = openFolder(folder.path)
  const volumes = await Volumes.open(root, new FlushQueue())
  volumes.close()
}

test('a start before the file system is mounted keeps its record; a start after it restores the hidden item', async () => {
  await start()
  expect(existsSync(disk(RECORD))).toBe(true)
  expect(readdirSync(disk('mount'))).toEqual([])
  // The leftovers of a killed server on the file system, which is mounted now.
  mkdirSync(disk('mount/.filemgr/work/gone/aside-1/thing'), { recursive: true })
  writeFileSync(disk('mount/.filemgr/work/gone/aside-1/origin'), 'box')
  writeFileSync(disk('mount/.filemgr/work/gone/aside-1/thing/kept'), '')
  await start()
  expect(existsSync(disk(RECORD))).toBe(false)
  expect(readdirSync(disk('mount'))).toEqual(['box'])
  expect(readdirSync(disk('mount/box'))).toEqual(['kept'])
})

test('a hidden item that cannot be restored is tried again at each start', async () => {
  mkdirSync(disk('mount/.filemgr/work/gone/aside-1/thing'), { recursive: true })
  await start()
  expect(existsSync(disk(RECORD))).toBe(true)
  writeFileSync(disk('mount/.filemgr/work/gone/aside-1/origin'), 'box')
  await start()
  expect(existsSync(disk(RECORD))).toBe(false)
  expect(readdirSync(disk('mount'))).toEqual(['box'])
})

test('an interrupted removal on a full disk is completed', async () => {
  const name = '.filemgr-0123456789abcdef01234567'
  mkdirSync(disk(`box/${name}/deep`), { recursive: true })
  writeFileSync(disk('box/kept'), '')
  writeFileSync(disk(RECORD), `/box/${name}`)
  await start()
  expect(readdirSync(disk('box'))).toEqual(['kept'])
  expect(existsSync(disk(RECORD))).toBe(false)
})

test('a hidden item beside its original name is restored', async () => {
  const name = '.filemgr-0123456789abcdef01234567m'
  const record = `/box/${name}\0thing`
  mkdirSync(disk('box'))
  writeFileSync(disk(RECORD), record)
  await start()
  // Its file system was not mounted.
  expect(existsSync(disk(RECORD))).toBe(true)
  mkdirSync(disk(`box/${name}/deep`), { recursive: true })
  mkdirSync(disk('box/thing'))
  await start()
  expect(readdirSync(disk('box')).sort()).toEqual(['thing', 'thing(1)'])
  expect(readdirSync(disk('box/thing(1)'))).toEqual(['deep'])
  expect(existsSync(disk(RECORD))).toBe(false)
})

test('a hidden item is restored beside a taken name of 255 bytes', async () => {
  const name = '.filemgr-0123456789abcdef01234567m'
  const taken = `${'é'.repeat(127)}x`
  writeFileSync(disk(RECORD), `/box/${name}\0${taken}`)
  mkdirSync(disk(`box/${taken}`), { recursive: true })
  mkdirSync(disk(`box/${name}/deep`), { recursive: true })
  await start()
  expect(readdirSync(disk('box')).sort()).toEqual([`${'é'.repeat(126)}(1)`, taken])
  expect(readdirSync(disk(`box/${'é'.repeat(126)}(1)`))).toEqual(['deep'])
  expect(existsSync(disk(RECORD))).toBe(false)
})

test('a record that cannot be cleared because of a system error does not prevent the start', async () => {
  writeFileSync(disk(RECORD), `/${'n'.repeat(256)}/.filemgr-0123456789abcdef01234567`)
  await start()
  expect(existsSync(disk(RECORD))).toBe(true)
})

test('an empty record, which a full disk has truncated, is removed and changes nothing else', async () => {
  writeFileSync(disk(RECORD), '')
  await start()
  expect(existsSync(disk(RECORD))).toBe(false)
  expect(readdirSync(disk('.filemgr')).sort()).toEqual(['trash', 'uploads', 'volumes', 'work'])
})

test('doomed trees in the private folder are deleted, and one that cannot be deleted blocks no other', async () => {
  mkdirSync(disk('.filemgr/work/gone/aside-1/thing'), { recursive: true })
  writeFileSync(disk('.filemgr/work/file'), '')
  writeFileSync(disk('mount/.filemgr'), 'a file')
  await start()
  expect(readdirSync(disk('.filemgr/work'))).toEqual(['gone'])
  expect(readdirSync(disk('mount'))).toEqual(['filemgr-found'])
})
