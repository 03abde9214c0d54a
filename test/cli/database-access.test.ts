/** Messages about a database that an account may not use name the reason and the account. */
import { afterEach, beforeEach, expect, test } from 'bun:test'
import { chmodSync, chownSync } from 'node:fs'
import { join } from 'node:path'
import { temporaryFolder } from '../support/files/tree.ts'
import { filemgr, runFilemgr } from '../support/server/executable.ts'
import { asOrdinaryAccount } from '../support/server/ordinary-account.ts'

const IS_ROOT = process.getuid?.() === 0
let folder: ReturnType<typeof temporaryFolder>
beforeEach(() => {
  folder = temporaryFolder()
})
afterEach(() => folder.remove())

test.skipIf(!IS_ROOT)('a database of another account', async () => {
  const database = join(folder.path, 'f.db')
  const made = await runFilemgr(
    ['users', 'add', 'ana', 'northern lights 26', '--database', database],
    {
      home: folder.path,
    },
  )
  expect(made.code).toBe(0)
  chmodSync(database, 0o600)
  chownSync(folder.path, 65534, 65534)
  const [program, ...args] = asOrdinaryAccount(filemgr())
  const run = Bun.spawnSync([program, ...args, 'users', 'ls', '--database', database], {
    cwd: folder.path,
    env: { PATH: process.env.PATH ?? '', HOME: folder.path, TMPDIR: folder.path },
  })
  expect(run.exitCode).toBe(1)
  expect(run.stderr.toString()).toContain('This account (uid 65534) may not read and write it')
})
