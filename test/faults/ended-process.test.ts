/** After the end of a server with another disk below its root, no process looks like it. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { API } from '#wire/api/routes.ts'
import { temporaryFolder } from '../support/files/tree.ts'
import { outcome, signIn } from '../support/server/client.ts'
import { PASSWORD } from '../support/server/passwords.ts'
import { startServer } from '../support/server/server.ts'
import { noFuse } from '../support/system/fuse.ts'
import { SilentMount } from '../support/system/silent-mount.ts'

const refusal = noFuse('sshfs')
if (refusal) process.stdout.write(`${refusal}\n`)

const TIMEOUT_MS = 120_000

describe.skipIf(refusal !== undefined)('a server with another disk below its root', () => {
  const mount = new SilentMount('nas')
  const folder = temporaryFolder()
  const database = join(folder.path, 'filemgr.db')

  beforeAll(() => mount.open(), TIMEOUT_MS)
  afterAll(() => {
    mount.remove()
    folder.remove()
  }, TIMEOUT_MS)

  const started = async () => {
    const server = await startServer({ root: mount.root, program: mount.program, database })
    const admin = await signIn(server.url, 'admin', PASSWORD)
    expect(await outcome(admin.call('GET', `${API.resources}/nas/`))).toBe('200')
    return server
  }

  test(
    'leaves no process behind',
    async () => {
      const before = processes()
      const server = await started()
      expect(await server.stop()).toBe(0)
      expect(newSince(before, database)).toEqual([])
      expect(newSince(before, ENDED)).toEqual([])
    },
    TIMEOUT_MS,
  )

  test(
    'leaves a process with another name while the disk does not respond',
    async () => {
      const before = processes()
      const server = await started()
      await noneWaits(server.pid)
      mount.silence()
      try {
        expect(await server.stop()).toBe(0)
        expect(newSince(before, database)).toEqual([])
        // It lives for five seconds.
        expect(
          newSince(before, 'filemgr has ended').map(({ words, name }) => [words, name]),
        ).toEqual([[ENDED, 'filemgr-ended']])
      } finally {
        mount.wake()
      }
    },
    TIMEOUT_MS,
  )
})

/**
 * Waits until no thread of a process waits for a FUSE disk. The kernel ends no thread whose question the disk has already
 * received, and so not the process either.
 */
async function noneWaits(pid: number): Promise<void> {
  for (let quietFor = 0; quietFor < 10; quietFor += 1) {
    if (readdirSync(`/proc/${pid}/task`).some((thread) => waits(pid, thread))) quietFor = 0
    await Bun.sleep(20)
  }
}

function waits(pid: number, thread: string): boolean {
  try {
    return readFileSync(`/proc/${pid}/task/${thread}/wchan`, 'utf8') === 'request_wait_answer'
  } catch {
    // The thread has ended.
    return false
  }
}

const ENDED = 'filemgr has ended. Its files on a disk that does not respond are being closed.'

interface RunningProcess {
  pid: number
  words: string
  name: string
}

function processes(): RunningProcess[] {
  return readdirSync('/proc')
    .map(Number)
    .filter((pid) => pid > 0)
    .flatMap((pid) => {
      try {
        const words = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').join(' ').trim()
        return [{ pid, words, name: readFileSync(`/proc/${pid}/comm`, 'utf8').trim() }]
      } catch {
        return []
      }
    })
}

/** The processes whose command line contains a text, without those of other tests. */
function newSince(before: readonly RunningProcess[], text: string): RunningProcess[] {
  const known = new Set(before.map(({ pid }) => pid))
  return processes().filter(({ pid, words }) => !known.has(pid) && words.includes(text))
}
