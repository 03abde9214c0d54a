/** Native files are unpacked before they are loaded: into a folder that only this account can write, and verified. */
import { afterEach, beforeEach, expect, test } from 'bun:test'
import { createHash } from 'node:crypto'
import { chmodSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { loadAddon, type NativeFile } from '#server/files/previews/native-addon.ts'
import { temporaryFolder } from '../../../support/files/tree.ts'

/** A small addon: that of the package `snappy` for this platform. */
const addon = (() => {
  const { resolve } = createRequire(import.meta.url)
  const beside = join(dirname(resolve('snappy')), '../@napi-rs')
  const [folder = ''] = readdirSync(beside).filter((name) => name.startsWith('snappy-'))
  const [name = ''] = readdirSync(join(beside, folder)).filter((file) => file.endsWith('.node'))
  return join(beside, folder, name)
})()

let folder: ReturnType<typeof temporaryFolder>
let file: NativeFile
const before = { cache: process.env.XDG_CACHE_HOME, temporary: process.env.TMPDIR }
beforeEach(() => {
  folder = temporaryFolder()
  const sha256 = createHash('sha256').update(readFileSync(addon)).digest('hex')
  file = { path: 'lib/addon.node', embedded: addon, sha256 }
  process.env.XDG_CACHE_HOME = join(folder.path, 'cache')
  process.env.TMPDIR = join(folder.path, 'temporary')
})
afterEach(() => {
  for (const [name, value] of [
    ['XDG_CACHE_HOME', before.cache],
    ['TMPDIR', before.temporary],
  ] as const) {
    if (value === undefined) delete process.env[name]
    else process.env[name] = value
  }
  folder.remove()
})

const cache = () => join(folder.path, 'cache/filemgr')
const unpacked = () => {
  const [name = ''] = readdirSync(cache()).filter((entry) => entry.startsWith('native-'))
  return join(cache(), name, file.path)
}

test('the native addon is loaded from a folder that belongs to this account', () => {
  expect(loadAddon([file])).toHaveProperty('compress')
  expect(readFileSync(unpacked()).equals(readFileSync(addon))).toBe(true)
})

test('the native addon is not loaded from folders that others can write', () => {
  const uid = process.getuid?.() ?? 'cache'
  for (const path of [cache(), join(folder.path, `temporary/filemgr-${uid}`)]) {
    mkdirSync(path, { recursive: true })
    chmodSync(path, 0o777)
  }
  expect(() => loadAddon([file])).toThrow('A native part cannot be loaded.')
})

test('the native addon is unpacked again if its file was changed', () => {
  loadAddon([file])
  // The file is replaced and not overwritten, because the loaded addon uses it.
  rmSync(unpacked())
  writeFileSync(unpacked(), 'changed')
  expect(loadAddon([file])).toHaveProperty('compress')
  expect(readFileSync(unpacked()).equals(readFileSync(addon))).toBe(true)
})
