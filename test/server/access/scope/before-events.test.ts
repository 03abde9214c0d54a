/** A change that is not allowed is refused before its content is read, and before an event command runs. */
import { beforeEach, expect, test } from 'bun:test'
import type { FileEvent } from '#server/access/file-events.ts'
import { Scope } from '#server/access/scope/scope.ts'
import type { Rule } from '#wire/api/user.ts'
import { Fault } from '#wire/fault.ts'
import { parsePath, ROOT } from '#wire/paths.ts'
import { type Permission, permissionsOf } from '#wire/permissions.ts'
import { MemoryStorage } from '../../../support/storage/memory-storage.ts'
import { NO_SHARES } from '../../../support/storage/path-listener.ts'
import { code } from '../../../support/storage/served.ts'

const bytes = new Uint8Array(1)
const [file, other, folder, free] = ['/file', '/other', '/folder', '/free'].map(parsePath)
if (!file || !other || !folder || !free) throw new Error('four paths')

let storage: MemoryStorage
let happened: string[]
beforeEach(async () => {
  happened = []
  storage = new MemoryStorage()
  await storage.mkdir(folder)
  for (const path of [file, other]) await storage.write(path, bytes, { overwrite: false })
})

function scope(perm: Permission[] = ['admin'], refuse?: Fault, rules: Rule[] = []) {
  const actor = {
    id: 1,
    username: 'anna',
    perm: permissionsOf(...perm),
    scope: ROOT,
    rulesFrom: [ROOT],
    rules,
    hideDotfiles: false,
  }
  const hooks = async ({ hook }: FileEvent) => {
    happened.push(hook)
    if (refuse && hook.startsWith('before_')) throw refuse
  }
  return new Scope(storage, actor, NO_SHARES, hooks)
}

test('a write is refused before it begins', async () => {
  const write = (of: Scope, path: typeof file, overwrite: boolean) => [
    code(of.canWrite(path, overwrite)),
    code(of.write(path, bytes, { overwrite })),
  ]
  const creates = scope(['create'])
  expect(await Promise.all(write(scope(), folder, true))).toEqual(['isDirectory', 'isDirectory'])
  expect(await Promise.all(write(scope(), file, false))).toEqual(['conflict', 'conflict'])
  expect(await Promise.all(write(creates, file, true))).toEqual(['forbidden', 'forbidden'])
  const reads = scope(['download'])
  expect(await Promise.all(write(reads, free, false))).toEqual(['forbidden', 'forbidden'])
  expect(happened).toEqual([])
})

test('a save is refused before it begins', async () => {
  expect(await code(scope().save(folder, bytes, () => true))).toBe('isDirectory')
  expect(await code(scope().save(free, bytes, () => true))).toBe('notFound')
  expect(await code(scope().save(file, bytes, () => false))).toBe('precondition')
  expect(happened).toEqual([])
})

test('a move and a copy are refused before they begin', async () => {
  const limited = scope(['rename', 'create'])
  for (const operation of ['move', 'copy'] as const) {
    expect(await code(scope()[operation](free, other, { overwrite: true }))).toBe('notFound')
    expect(await code(scope()[operation](file, other, { overwrite: false }))).toBe('conflict')
    expect(await code(scope()[operation](file, file, { overwrite: true }))).toBe('conflict')
    expect(await code(limited[operation](file, other, { overwrite: true }))).toBe('forbidden')
  }
  expect(happened).toEqual([])
})

test('a command that runs before an event refuses it; one that runs after it is run', async () => {
  const refuses = scope(['admin'], new Fault('forbidden', 'no'))
  const acts: [string, (of: Scope) => Promise<unknown>][] = [
    ['upload', (of) => of.write(free, bytes, { overwrite: false })],
    ['save', (of) => of.save(file, bytes, () => true)],
    ['upload', (of) => of.mkdir(parsePath('/new'))],
    ['copy', (of) => of.copy(file, parsePath('/copy'), { overwrite: false })],
    ['rename', (of) => of.move(file, parsePath('/moved'), { overwrite: false })],
    ['delete', (of) => of.remove(other)],
  ]
  const before = await storage.list(ROOT)
  for (const [event, act] of acts) {
    expect(await code(act(refuses))).toBe('forbidden')
    expect(happened.splice(0)).toEqual([`before_${event}`])
  }
  expect(await storage.list(ROOT)).toEqual(before)
  for (const [event, act] of acts) {
    expect(await code(act(scope()))).toBe('no fault')
    expect(happened.splice(0)).toEqual([`before_${event}`, `after_${event}`])
  }
})

test('a user without the right, or whom a rule denies the path, is refused before anything begins', async () => {
  const deny = (path: string) => [{ regex: false, allow: false, path, regexp: null }]
  const operations: [(of: Scope) => Promise<unknown>, denied: string][] = [
    [(of) => of.canWrite(free, false), '/free'],
    [(of) => of.write(free, bytes, { overwrite: false }), '/free'],
    [(of) => of.save(file, bytes, () => true), '/file'],
    [(of) => of.mkdir(free), '/free'],
    [(of) => of.remove(file), '/file'],
    [(of) => of.move(file, free, { overwrite: false }), '/file'],
    [(of) => of.move(file, free, { overwrite: false }), '/free'],
    [(of) => of.copy(file, free, { overwrite: false }), '/file'],
    [(of) => of.copy(file, free, { overwrite: false }), '/free'],
  ]
  for (const [act, denied] of operations) {
    expect(await code(act(scope(['download'])))).toBe('forbidden')
    expect(await code(act(scope(['admin'], undefined, deny(denied))))).toBe('forbidden')
  }
  // The root folder cannot be a destination.
  for (const operation of ['move', 'copy'] as const) {
    expect(await code(scope()[operation](file, ROOT, { overwrite: true }))).toBe('forbidden')
  }
  expect(happened).toEqual([])
})
