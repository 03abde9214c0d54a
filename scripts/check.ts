/**
 * `npm test`: all checks in order, until the first stage that fails. The lanes of a phase run at the same time, and the
 * stages of a lane one after the other. With names of stages, as in `npm run test:api`, only these stages.
 *
 * Prints a line for each stage, the output of each stage that fails, and at the end `N passed, N failed`: the numbers of
 * tests that ran. dist/tally contains the same line.
 */
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { EXECUTABLE } from './executable.ts'
import { faultsOfProofs, readReports } from './proof.ts'
import { REPO_ROOT } from './repo-root.ts'
import { ensureChromium, ensureHeadlessShell, ensurePrograms } from './system-packages.ts'
import { add, formatCounts, NO_TESTS, readJunit, readPlaywright, type TestCounts } from './tally.ts'

const BIN = join(REPO_ROOT, 'node_modules/.bin')

interface Stage {
  name: string
  run(): Promise<TestCounts>
}

type Lane = Stage[]
type Phase = Lane[]

const PHASES: Phase[] = [
  [
    [
      {
        name: 'lint',
        run: () => command([join(BIN, 'biome'), 'check', '--error-on-warnings']),
      },
      { name: 'programs', run: programs },
    ],
    [{ name: 'types', run: types }],
  ],
  [[{ name: 'build', run: () => command([process.execPath, 'scripts/build.ts']) }]],
  // From here on, the stages test the executable.
  [
    [{ name: 'api', run: () => tests(['test/api'], { FILEMGR_BIN: EXECUTABLE }) }],
    [
      {
        name: 'unit',
        run: () =>
          tests(
            [
              'test/architecture.test.ts',
              'test/server',
              'test/cli',
              'test/ui',
              'test/scripts',
              'test/contract',
            ],
            { FILEMGR_BIN: EXECUTABLE },
          ),
      },
      { name: 'packaging', run: () => tests(['test/packaging'], { FILEMGR_BIN: EXECUTABLE }) },
      {
        name: 'trust',
        run: () => tests(['test/attacks', 'test/faults', 'test/soak'], { FILEMGR_BIN: EXECUTABLE }),
      },
    ],
  ],
  [[{ name: 'e2e', run: endToEnd }]],
  [[{ name: 'proofs', run: proofs }]],
]

/** A stage failed. The message is its output; `tally` counts the tests that ran in it. */
class StageFailed extends Error {
  readonly tally: TestCounts

  constructor(printed: string, tally: TestCounts = NO_TESTS) {
    super(printed)
    this.tally = tally
  }
}

mkdirSync(join(REPO_ROOT, 'dist'), { recursive: true })
/** The report files of the test runners, one for each run. */
const reports: string[] = []
let total = NO_TESTS
const wanted = process.argv.slice(2)
for (const name of wanted) {
  const names = PHASES.flat(2).map((stage) => stage.name)
  if (names.includes(name)) continue
  console.error(`There is no stage ${name}. There are: ${names.join(', ')}.`)
  process.exit(2)
}
const isWanted = ({ name }: Stage) => wanted.length === 0 || wanted.includes(name)
for (const lanes of PHASES) {
  await Promise.all(lanes.map((lane) => runLane(lane.filter(isWanted))))
  if (process.exitCode) break
}
writeFileSync(join(REPO_ROOT, 'dist/tally'), `${formatCounts(total)}\n`)
console.log(formatCounts(total))

/** Runs the stages of a lane, up to the first that fails. */
async function runLane(lane: Lane): Promise<void> {
  for (const stage of lane) {
    if (!(await runStage(stage))) return
  }
}

/** Runs a stage, and prints a line with its result. @returns whether it succeeded */
async function runStage({ name, run }: Stage): Promise<boolean> {
  const startedAt = performance.now()
  const line = (result: string) => {
    const seconds = ((performance.now() - startedAt) / 1000).toFixed(1)
    console.log(`${name.padEnd(20)} ${seconds.padStart(6)} s   ${result}`)
  }
  try {
    const tally = await run()
    total = add(total, tally)
    line(tally.passed > 0 ? `${tally.passed} passed` : 'ok')
    return true
  } catch (error) {
    if (error instanceof StageFailed) total = add(total, error.tally)
    line('FAILED')
    console.error(error instanceof Error ? error.message : error)
    process.exitCode = 1
    return false
  }
}

async function types(): Promise<TestCounts> {
  const projects = ['server', 'ui', 'ui/worker', 'test']
  await Promise.all(projects.map((project) => command([join(BIN, 'tsc'), '-p', project])))
  return NO_TESTS
}

async function programs(): Promise<TestCounts> {
  ensurePrograms()
  return NO_TESTS
}

/** Runs `bun test` with those of these files and folders that exist. */
async function tests(paths: string[], env: Record<string, string> = {}): Promise<TestCounts> {
  const present = paths
    .filter((path) => existsSync(join(REPO_ROOT, path)))
    .map((path) => `./${path}`)
  if (present.length === 0) return NO_TESTS
  const report = newReport()
  const reporter = ['--reporter=junit', `--reporter-outfile=${report}`]
  const args = [
    process.execPath,
    'test',
    '--only-failures',
    '--timeout=30000',
    ...reporter,
    ...present,
  ]
  return runTests(args, env, report, readJunit)
}

async function endToEnd(): Promise<TestCounts> {
  if (!existsSync(join(REPO_ROOT, 'test/e2e/flows'))) return NO_TESTS
  const report = newReport()
  const env = {
    FILEMGR_BIN: EXECUTABLE,
    FILEMGR_CHROMIUM: ensureChromium(),
    FILEMGR_HEADLESS_SHELL: ensureHeadlessShell(),
    PLAYWRIGHT_JSON_OUTPUT_FILE: report,
  }
  // The dot reporter prints failures last, where a reader of the log looks first.
  const runner = ['node', join(REPO_ROOT, 'node_modules/playwright/cli.js'), 'test']
  const args = [...runner, '--config=test/e2e/playwright.config.ts', '--reporter=dot,json']
  return runTests(args, env, report, readPlaywright)
}

/** Checks that every test that a document names ran in the stages before, and passed. */
async function proofs(): Promise<TestCounts> {
  const faults = faultsOfProofs(readReports(reports.map((path) => readFileSync(path, 'utf8'))))
  if (faults.length > 0) throw new StageFailed(faults.join('\n'))
  return NO_TESTS
}

/** The path of a new report file. Each run has its own, because two can run at the same time. */
function newReport(): string {
  const report = join(REPO_ROOT, `dist/report-${reports.length + 1}`)
  rmSync(report, { force: true })
  reports.push(report)
  return report
}

/** Runs a test runner and reads its report. @throws StageFailed if the runner or a test fails */
async function runTests(
  args: string[],
  env: Record<string, string>,
  report: string,
  read: (report: string) => TestCounts,
): Promise<TestCounts> {
  const failure = await command(args, env).then(
    () => undefined,
    (error: Error) => error,
  )
  const tally = existsSync(report) ? read(readFileSync(report, 'utf8')) : NO_TESTS
  if (failure) throw new StageFailed(failure.message, tally)
  if (tally.failed > 0) throw new StageFailed('A test failed without the runner saying so.', tally)
  return tally
}

/** Runs a program. @throws StageFailed with its output, if its exit code is not 0 */
async function command(args: string[], env: Record<string, string> = {}): Promise<TestCounts> {
  const child = Bun.spawn(args, {
    cwd: REPO_ROOT,
    env: { ...process.env, ...env },
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'pipe',
  })
  const [out, err, code] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ])
  if (code !== 0) throw new StageFailed(`${out}${err}`.trim())
  return NO_TESTS
}
