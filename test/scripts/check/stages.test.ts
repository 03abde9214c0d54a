/** `npm test` on a machine that cannot run it, and with a wrong name: a sentence, and exit code 2. */
import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { REPO_ROOT } from '../../../scripts/repo-root.ts'

/** Runs the check with these stages. Each case ends before the first stage begins. */
function check(stages: string[], env: Record<string, string> = {}) {
  const script = join(REPO_ROOT, 'scripts/check.ts')
  const { exitCode, stderr, stdout } = Bun.spawnSync([process.execPath, script, ...stages], {
    env: { ...process.env, ...env },
  })
  return { exitCode, message: stderr.toString().trim(), ran: stdout.toString() }
}

test('the name of a missing stage is refused with the names that exist', () => {
  const { exitCode, message, ran } = check(['aip'])
  expect(exitCode).toBe(2)
  expect(message).toBe(
    'There is no stage aip. There are: lint, types, build, api, unit, packaging, trust, e2e.',
  )
  expect(ran).toBe('')
})

test('without a browser no test runs, and the message names the path and the remedy', () => {
  const { exitCode, message, ran } = check(['e2e'], { FILEMGR_CHROMIUM: '/nowhere/chromium' })
  expect(exitCode).toBe(2)
  expect(message).toContain('There is no Chromium at /nowhere/chromium. Install it')
  expect(ran).toBe('')
})
