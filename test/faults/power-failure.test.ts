/**
 * The power fails after any system call of an upload: the disk then has what was flushed, and perhaps more. strace records
 * the calls of an upload, and each beginning of them is one possible failure; the test is skipped where it may not trace.
 */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { realpathSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { API } from '#wire/api/routes.ts'
import { type Client, outcome, signIn } from '../support/server/client.ts'
import { startServer, type TestServer } from '../support/server/server.ts'
import { mayTrace, type TracedCall, trace } from '../support/server/tracing.ts'

const canTrace = await mayTrace()
const CALLS =
  'openat,write,writev,pwrite64,fsync,fdatasync,renameat2,linkat,unlink,unlinkat,sendto,sendmsg'

let server: TestServer
let admin: Client
let root: string
beforeAll(async () => {
  // Rows of the audit record are written at any time, and are no part of the change.
  server = await startServer({ args: ['--audit-entries', '0'] })
  root = realpathSync(server.root)
  writeFileSync(join(root, 'saved'), 'old content')
  admin = await signIn(server.url, 'admin', server.password)
})
afterAll(() => server.stop())

/** What the disk has for certain, and what it may have, when the power fails before the call `at` of the trace. */
class Disk {
  readonly #calls: readonly TracedCall[]
  readonly #at: number

  constructor(calls: readonly TracedCall[], at: number) {
    this.#calls = calls
    this.#at = at
  }

  /** Whether a call that matches has begun: its effect may be on the disk. */
  mayHave(call: RegExp): boolean {
    return this.#calls.some(({ line, began }) => began < this.#at && call.test(line))
  }

  /** Whether all calls that match were made, and a flush that began after them has ended. */
  has(call: RegExp, flush: RegExp): boolean {
    const made = this.#calls.filter(({ line }) => call.test(line))
    const last = Math.max(...made.map(({ ended }) => ended))
    return (
      made.length > 0 &&
      this.#calls.some(
        ({ line, began, ended }) => flush.test(line) && began > last && ended < this.#at,
      )
    )
  }
}

test.skipIf(!canTrace)(
  'after every call of an upload, a power failure leaves the old file or the whole new one',
  async () => {
    for (const [method, name] of [
      ['POST', 'new'],
      ['PUT', 'saved'],
    ] as const) {
      const stop = await trace(server.pid, ['-y', '-s', '32', '-e', `trace=${CALLS}`])
      const answer = await outcome(admin.call(method, `${API.resources}/${name}`, 'new content'))
      const calls = await stop()
      expect(answer).toMatch(/^20/)
      const recorded = calls.map(({ line }) => line).join('\n')
      const staged = String.raw`${root}/\.filemgr/work/[^>]*`
      const content = new RegExp(String.raw`write\(\d+<${staged}>, "new content`)
      const contentFlush = new RegExp(String.raw`f(data)?sync\(\d+<${staged}>\) += 0`)
      const published = new RegExp(`renameat2\\(.*"${name}", RENAME_`)
      const folderFlush = new RegExp(String.raw`fsync\(\d+<${root}>\) += 0`)
      const answered = /send(to|msg)\(.*HTTP\/1\.1 200/
      const rename = calls.find(({ line }) => published.test(line)) ?? expect.unreachable(recorded)
      // The rows that are written before the name changes are the entry of the change.
      const rows = calls.filter(
        ({ line, began }) => /pwrite64\(.*\.db-wal>/.test(line) && began < rename.began,
      )
      const entry = rows.at(-1)?.ended ?? expect.unreachable(recorded)
      expect(
        calls.some(({ line }) => answered.test(line)),
        recorded,
      ).toBe(true)
      const last = Math.max(...calls.map(({ ended }) => ended)) + 1
      for (let at = 0; at <= last; at += 1) {
        const disk = new Disk(calls, at)
        if (disk.mayHave(published)) {
          expect(disk.has(content, contentFlush), recorded).toBe(true)
          const isRecorded = calls.some(
            ({ line, began, ended }) =>
              /f(data)?sync\(.*\.db-wal>\) += 0/.test(line) && began > entry && ended < at,
          )
          expect(isRecorded, recorded).toBe(true)
        }
        if (disk.mayHave(answered)) expect(disk.has(published, folderFlush), recorded).toBe(true)
        // The old file has its name until the new one gets it.
        expect(disk.mayHave(new RegExp(`unlink(at)?\\(.*${root}(>, "|/)${name}"`)), recorded).toBe(
          false,
        )
      }
    }
  },
)
