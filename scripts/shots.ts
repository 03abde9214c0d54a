/**
 * `npm run shots -- [NAME]...`: a picture of every screen that test/e2e/screens lists, in both
 * widths and themes, into dist/shots. With names, of the screens whose name holds one of them.
 */
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { EXECUTABLE, mustBeBuilt } from './executable.ts'
import { REPO_ROOT } from './repo-root.ts'
import { ensureChromium } from './system-packages.ts'

const SHOTS = join(REPO_ROOT, 'dist/shots')

const names = process.argv.slice(2)
mustBeBuilt()
if (names.length === 0) rmSync(SHOTS, { recursive: true, force: true })

const runner = ['node', join(REPO_ROOT, 'node_modules/playwright/cli.js'), 'test']
const filter = names.length > 0 ? ['--grep', names.join('|')] : []
const taking = Bun.spawn([...runner, '--config=test/e2e/playwright.config.ts', ...filter], {
  cwd: REPO_ROOT,
  env: {
    ...process.env,
    FILEMGR_SHOTS: '1',
    FILEMGR_BIN: EXECUTABLE,
    FILEMGR_CHROMIUM: ensureChromium(),
  },
  stdio: ['ignore', 'inherit', 'inherit'],
})
process.exitCode = await taking.exited
if (process.exitCode === 0) console.log(SHOTS)
