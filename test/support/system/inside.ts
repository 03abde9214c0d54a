/** Runs a test file in a mount namespace with its own disks. */
import { expect } from 'bun:test'
import { join } from 'node:path'
import { temporaryFolder } from '../files/tree.ts'
import { inMounts, type Mount } from './mounts.ts'

/** The environment variable with the folder of the mounts. */
const FOLDER = 'FILEMGR_TEST_DISKS'

/** Runs the tests of a file, `*.inside.ts`, and expects all of them to pass. */
export function expectInside(file: string, mounts: readonly Mount[]): void {
  const folder = temporaryFolder()
  const { success, stderr } = Bun.spawnSync(
    [...inMounts(folder.path, mounts), process.execPath, 'test', '--timeout=60000', file],
    {
      cwd: join(import.meta.dir, '../../..'),
      env: { ...process.env, [FOLDER]: folder.path },
      stdout: 'ignore',
    },
  )
  folder.remove()
  expect(success ? '' : stderr.toString()).toBe('')
}

/** The folder of the mounts, for a file that runs inside. */
export function disksInside(): string {
  const path = process.env[FOLDER]
  if (!path) throw new Error('This file is run by another test, which mounts its disks.')
  return path
}
