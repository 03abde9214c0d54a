/** The file of a Unix socket. */
import { afterEach, beforeEach, expect, test } from 'bun:test'
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { withUmaskOf } from '#server/listen/unix-socket.ts'
import { temporaryFolder } from '../../support/files/tree.ts'

let folder: ReturnType<typeof temporaryFolder>
let umask: number
beforeEach(() => {
  folder = temporaryFolder()
  // As of a service without a umask.
  umask = process.umask(0)
})
afterEach(() => {
  process.umask(umask)
  folder.remove()
})

test.each([0o600, 0o660])(
  'a socket is never open to more accounts than its mode allows: %o',
  async (mode) => {
    const unix = join(folder.path, 's')
    const server = withUmaskOf(mode, () => Bun.serve({ unix, fetch: () => new Response() }))
    expect(statSync(unix).mode & 0o777 & ~mode).toBe(0)
    expect(process.umask()).toBe(0)
    await server.stop(true)
  },
)
