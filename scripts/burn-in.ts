/**
 * `npm run burn-in [-- FILE]...`: runs browser tests ten times each on a slow and busy machine, to find those that pass only
 * by chance. The page's CPU is slowed down, and a busy loop runs on each core.
 *
 * Without files, it runs the tests below test/e2e/flows that differ from the upstream branch, with changes that are not
 * committed; without an upstream branch, those of the last commit.
 */
import { existsSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { EXECUTABLE, mustBeBuilt, runInTerminal } from './executable.ts'
import { REPO_ROOT } from './repo-root.ts'
import { ensureChromium, ensureHeadlessShell } from './system-packages.ts'

const REPETITIONS = 10
/** Of DevTools: the page has a quarter of a core. */
const CPU_SLOWDOWN = 4
const FLOWS = 'test/e2e/flows'

mustBeBuilt()
const files = process.argv.length > 2 ? process.argv.slice(2) : changedFlows()
for (const file of files) {
  if (existsSync(join(REPO_ROOT, file))) continue
  console.error(
    `There is no ${file}. Give paths from the top of the repository, such as ${FLOWS}/x.spec.ts.`,
  )
  process.exit(2)
}
if (files.length === 0) {
  console.log(
    `No test below ${FLOWS} has changed. Give files: npm run burn-in -- ${FLOWS}/x.spec.ts`,
  )
  process.exit(0)
}

const busy = Array.from({ length: availableParallelism() }, () =>
  Bun.spawn([process.execPath, '-e', 'for (;;);'], { stdio: ['ignore', 'ignore', 'ignore'] }),
)
try {
  const runner = ['node', join(REPO_ROOT, 'node_modules/playwright/cli.js'), 'test']
  const options = [
    '--config=test/e2e/playwright.config.ts',
    '--reporter=line',
    '--trace=retain-on-failure',
    '--output=dist/e2e-burn-in',
    `--repeat-each=${REPETITIONS}`,
  ]
  await runInTerminal([...runner, ...options, ...files], {
    FILEMGR_BIN: EXECUTABLE,
    FILEMGR_CHROMIUM: ensureChromium(),
    FILEMGR_HEADLESS_SHELL: ensureHeadlessShell(),
    FILEMGR_CPU_SLOWDOWN: String(CPU_SLOWDOWN),
  })
} finally {
  for (const loop of busy) loop.kill()
}

/** The test files that changed, as paths from the top of the repository; deleted files are left out. */
function changedFlows(): string[] {
  const base = git('merge-base', 'HEAD', '@{upstream}') || git('rev-parse', '--verify', 'HEAD~1')
  const changed = git('diff', '--name-only', '--diff-filter=d', base || 'HEAD', '--', FLOWS)
  const added = git('ls-files', '--others', '--exclude-standard', '--', FLOWS)
  return `${changed}\n${added}`.split('\n').filter((path) => path.endsWith('.spec.ts'))
}

/** @returns the output without the last line end; empty if git fails */
function git(...args: string[]): string {
  const { success, stdout } = Bun.spawnSync(['git', ...args], { cwd: REPO_ROOT, stderr: 'ignore' })
  return success ? stdout.toString().trim() : ''
}
