/** Which processes still use a folder, where the locks of other machines are not seen. */
import { afterEach, beforeEach, expect, test } from 'bun:test'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ownProcessId } from '#server/os/process-id.ts'
import { openFolder } from '#server/storage/local/handles/descriptor.ts'
import type { Handle } from '#server/storage/local/handles/handle.ts'
import { HEARTBEAT, repeatHeartbeat } from '#server/storage/local/private/heartbeat.ts'
import { PrivateFolder } from '#server/storage/local/private/private-folder.ts'
import { Processes } from '#server/storage/local/private/processes.ts'
import { temporaryFolder } from '../../../../support/files/tree.ts'

const MINUTE_MS = 60_000
/** A process of another machine. */
const ELSEWHERE = { ...ownProcessId(), boot: 'another' }

let folder: ReturnType<typeof temporaryFolder>
let work: Handle
let nowMs: number
beforeEach(() => {
  folder = temporaryFolder()
  work = openFolder(folder.path)
  nowMs = 0
})
afterEach(() => {
  work.close()
  folder.remove()
})

const at = (...names: string[]) => join(folder.path, ...names)
const onNetwork = () => new Processes({ nowMs: () => nowMs, sharesLocks: () => false })

/** A folder of a process with a heartbeat. */
function begin(name: string, heartbeat: object | undefined): void {
  mkdirSync(at(name))
  if (heartbeat) writeFileSync(at(name, HEARTBEAT), JSON.stringify(heartbeat))
}

test('a process of another machine has ended only if its heartbeat is the same for ten minutes @limit-100', async () => {
  begin('other', { ...ELSEWHERE, beat: 1 })
  const processes = onNetwork()
  expect(processes.isGone(work, 'other')).toBe(false)
  nowMs += 9 * MINUTE_MS
  expect(processes.isGone(work, 'other')).toBe(false)
  using other = openFolder(at('other'))
  await repeatHeartbeat(other, ELSEWHERE, false)
  nowMs += 9 * MINUTE_MS
  expect(processes.isGone(work, 'other')).toBe(false)
  nowMs += 9 * MINUTE_MS
  expect(processes.isGone(work, 'other')).toBe(false)
  nowMs += MINUTE_MS
  expect(processes.isGone(work, 'other')).toBe(true)
})

test('a folder without a heartbeat is watched for ten minutes too', () => {
  begin('other', undefined)
  const processes = onNetwork()
  expect(processes.isGone(work, 'other')).toBe(false)
  nowMs += 10 * MINUTE_MS
  expect(processes.isGone(work, 'other')).toBe(true)
  expect(processes.isGone(work, 'absent')).toBe(true)
})

test('a process of this machine is looked up', () => {
  begin('running', { ...ownProcessId(), beat: 1 })
  begin('again', { ...ownProcessId(), start: 1, beat: 1 })
  const { pid } = Bun.spawnSync(['true'])
  begin('ended', { ...ownProcessId(), pid, beat: 1 })
  const processes = onNetwork()
  const isGone = () => ['running', 'again', 'ended'].map((name) => processes.isGone(work, name))
  expect(isGone()).toEqual([false, true, true])
  nowMs += 60 * MINUTE_MS
  expect(isGone()).toEqual([false, true, true])
})

test('a heartbeat is written when another process asks for it, and each minute where locks are not seen', async () => {
  for (const sharesLocks of [true, false]) {
    const processes = new Processes({ sharesLocks: () => sharesLocks })
    const privateFolder = PrivateFolder.open(work, processes)
    if (!privateFolder) throw new Error('no private folder')
    const own = at('.filemgr/work', privateFolder.ownName)
    const beat = () =>
      existsSync(join(own, HEARTBEAT)) && readFileSync(join(own, HEARTBEAT), 'utf8')
    const first = beat()
    expect(first === false).toBe(sharesLocks)
    await processes.beat()
    expect(beat() === first).toBe(sharesLocks)
    const second = beat()
    writeFileSync(join(own, 'heartbeat-asked'), '')
    await processes.beat()
    expect(beat()).not.toBe(second)
    expect(existsSync(join(own, 'heartbeat-asked'))).toBe(false)
    privateFolder.close()
  }
})

test('no heartbeat is written while the disk does not respond', async () => {
  let mayTouch = true
  const options = { sharesLocks: () => false, mayTouch: async () => mayTouch }
  const processes = new Processes(options)
  const privateFolder = PrivateFolder.open(work, processes)
  if (!privateFolder) throw new Error('no private folder')
  const beat = () => readFileSync(at('.filemgr/work', privateFolder.ownName, HEARTBEAT), 'utf8')
  const first = beat()
  mayTouch = false
  await processes.beat()
  expect(beat()).toBe(first)
  mayTouch = true
  await processes.beat()
  expect(beat()).not.toBe(first)
  privateFolder.close()
})

test('a process that is killed while it starts leaves nothing that counts as a process', () => {
  const seen: string[][] = []
  // It is asked after the folder was created, and before the heartbeat is written.
  const sharesLocks = () => {
    seen.push(readdirSync(at('.filemgr/work')))
    return false
  }
  const privateFolder = PrivateFolder.open(work, new Processes({ sharesLocks }))
  if (!privateFolder) throw new Error('no private folder')
  expect(seen).toEqual([[]])
  expect(existsSync(at('.filemgr/work', privateFolder.ownName, HEARTBEAT))).toBe(true)
  privateFolder.close()
})

test('what a process has left that was killed while it started is removed by the next one', async () => {
  mkdirSync(at('.filemgr/starting-abc'), { recursive: true })
  writeFileSync(at('.filemgr/starting-abc', HEARTBEAT), '{}')
  const privateFolder = PrivateFolder.open(work, onNetwork())
  if (!privateFolder) throw new Error('no private folder')
  using uploads = privateFolder.openLasting('uploads')
  expect(privateFolder.isShared()).toBe(false)
  await privateFolder.clear(uploads)
  expect(readdirSync(at('.filemgr')).sort()).toEqual(['uploads', 'work'])
  privateFolder.close()
})

test('leftovers of a process elsewhere are kept at the start, and removed when it has been silent', async () => {
  const processes = onNetwork()
  const privateFolder = PrivateFolder.open(work, processes)
  if (!privateFolder) throw new Error('no private folder')
  using uploads = privateFolder.openLasting('uploads')
  const left = '.filemgr/work/other'
  begin(left, { ...ELSEWHERE, beat: 1 })
  await privateFolder.clear(uploads)
  expect(existsSync(at(left))).toBe(true)
  nowMs += 10 * MINUTE_MS
  await privateFolder.clear(uploads, { isStart: false })
  expect(existsSync(at(left))).toBe(false)
  privateFolder.close()
})
