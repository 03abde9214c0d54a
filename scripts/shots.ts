/**
 * `npm run shots -- [NAME]...`: pictures of every screen that test/e2e/screens lists, in dist/shots: in several widths,
 * light and dark. With names (regular expressions), only of the screens that match one; other pictures stay.
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
const playwright = Bun.spawn([...runner, '--config=test/e2e/playwright.config.ts', ...filter], {
  cwd: REPO_ROOT,
  env: {
    ...process.env,
    FILEMGR_SHOTS: '1',
    FILEMGR_BIN: EXECUTABLE,
    FILEMGR_CHROMIUM: ensureChromium(),
  },
  stdio: ['ignore', 'inherit', 'inherit'],
})
process.exitCode = await playwright.exited
if (process.exitCode === 0) console.log(SHOTS)
