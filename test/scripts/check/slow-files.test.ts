/** The files that the check begins with. */
import { expect, test } from 'bun:test'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { SLOW_FILES } from '../../../scripts/check/slow-files.ts'
import { REPO_ROOT } from '../../../scripts/repo-root.ts'

test('each slow file exists, and is named once', () => {
  expect(SLOW_FILES.filter((file) => !existsSync(join(REPO_ROOT, file)))).toEqual([])
  expect(new Set(SLOW_FILES).size).toBe(SLOW_FILES.length)
})
