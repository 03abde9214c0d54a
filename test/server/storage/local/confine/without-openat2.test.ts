import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { REPO_ROOT } from '../../../../support/server/executable.ts'
import { WITHOUT_OPENAT2 } from '../../../../support/system/without-openat2.ts'

test('recorded paths are opened without links also if the kernel lacks openat2', () => {
  const files = ['storage/local/confine/real-path.test.ts', 'journal/replaced-folders.test.ts']
  const { success, stderr } = Bun.spawnSync(
    [
      process.execPath,
      'test',
      '--timeout=60000',
      '--preload',
      './test/support/system/without-openat2.ts',
      ...files.map((file) => `./${join('test/server', file)}`),
    ],
    { cwd: REPO_ROOT, env: { ...process.env, [WITHOUT_OPENAT2]: '1' }, stdout: 'ignore' },
  )
  expect(success ? '' : stderr.toString()).toBe('')
}, 300_000)
