/**
 * `npm run mutants [-- TEXT] [--at-once=2]`: removes single checks from the source, one at a time, and runs the tests that
 * must fail for it. The tables test/mutants/*.json have a row for each permission, rule, limit and flush. With a text, only
 * the rows that contain it; with the name of a table (NAME.json), only its rows.
 *
 * A mutant survives if all tests pass with it, and is stale if its quote does not occur in the source exactly once. Both
 * make this script fail. The repository is not changed: the tests run in copies in the temporary folder of the system.
 */
import {
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { parseArgs } from 'node:util'
import { REPO_ROOT } from './repo-root.ts'

interface Mutant {
  file: string
  /** A quote of the source, which must occur exactly once. */
  find: string
  replace: string
  /** The protection that is missing in the mutant. */
  what: string
  tests: string[]
  /** A pattern: only tests whose titles match it run. For files that take long. */
  filter?: string
}

interface Run {
  /** The end of the output of the tests if they fail. */
  failure: string | undefined
  seconds: number
}

type Result = 'killed' | 'SURVIVED' | 'STALE' | 'TESTS FAIL WITHOUT IT'

const TABLES = join(REPO_ROOT, 'test/mutants')
/** The time limit of the tests with the unchanged source. */
const BASELINE_TIMEOUT_S = 300
/** The time limit of the tests of a mutant: this many times the duration with the unchanged source, and some more. */
const MUTANT_TIMEOUT_FACTOR = 3
const MUTANT_TIMEOUT_EXTRA_S = 20
/** How many characters of the output of failing tests are kept. */
const OUTPUT_MAX_CHARS = 4000

const { values, positionals } = parseArgs({
  args: process.argv.slice(2),
  allowPositionals: true,
  options: { 'at-once': { type: 'string', default: '2' } },
})
const atOnce = Number(values['at-once'])
const [wanted = ''] = positionals
const mutants = readMutants(wanted)
const pending = mutants.toReversed()
/** The runs with the unchanged source, one for each set of tests (`testSetOf`). */
const baselines = new Map<string, Promise<Run>>()
const results: Result[] = []
const temporary = mkdtempSync(join(process.env.TMPDIR ?? '/tmp', 'filemgr-mutants-'))
// Some tests start the sources as another system account.
chmodSync(temporary, 0o755)
try {
  await Promise.all(
    Array.from({ length: atOnce }, (_, number) => testMutants(join(temporary, `${number}`))),
  )
} finally {
  rmSync(temporary, { recursive: true, force: true })
}
const survivors = results.filter((result) => result !== 'killed').length
console.log(`${results.length - survivors} killed, ${survivors} not`)
if (survivors > 0) process.exitCode = 1

/** The rows of the table with this name; otherwise the rows of all tables that contain this text. */
function readMutants(wanted: string): Mutant[] {
  const names = readdirSync(TABLES)
    .filter((name) => name.endsWith('.json'))
    .sort()
  const rows = (name: string): Mutant[] => JSON.parse(readFileSync(join(TABLES, name), 'utf8'))
  if (names.includes(wanted)) return rows(wanted)
  return names.flatMap(rows).filter((mutant) => JSON.stringify(mutant).includes(wanted))
}

/** Tests pending mutants in a copy of the sources until none is left. */
async function testMutants(copy: string): Promise<void> {
  copySources(copy)
  for (let mutant = pending.pop(); mutant; mutant = pending.pop()) {
    const result = await resultOf(mutant, copy)
    results.push(result)
    console.log(`${result.padEnd(8)}  ${mutant.file}: ${mutant.what}`)
    if (result === 'TESTS FAIL WITHOUT IT')
      console.log((await baselines.get(testSetOf(mutant)))?.failure)
  }
}

async function resultOf(mutant: Mutant, copy: string): Promise<Result> {
  const { file, find, replace } = mutant
  const path = join(copy, file)
  const source = readFileSync(join(REPO_ROOT, file), 'utf8')
  if (source.split(find).length !== 2) return 'STALE'
  const set = testSetOf(mutant)
  if (!baselines.has(set)) baselines.set(set, run(copy, mutant, BASELINE_TIMEOUT_S))
  const { failure, seconds } = (await baselines.get(set)) ?? { failure: '', seconds: 0 }
  if (failure !== undefined) return 'TESTS FAIL WITHOUT IT'
  writeFileSync(
    path,
    source.replace(find, () => replace),
  )
  try {
    const mutated = await run(
      copy,
      mutant,
      MUTANT_TIMEOUT_EXTRA_S + MUTANT_TIMEOUT_FACTOR * seconds,
    )
    return mutated.failure === undefined ? 'SURVIVED' : 'killed'
  } finally {
    writeFileSync(path, source)
  }
}

function testSetOf({ tests, filter }: Mutant): string {
  return [...tests, filter].join(' ')
}

/** Runs the tests of a row with their own temporary folder, and ends the processes that they leave. */
async function run(copy: string, { tests, filter }: Mutant, timeoutS: number): Promise<Run> {
  const paths = tests.map((test) => `./${test}`)
  const only = filter === undefined ? [] : ['--test-name-pattern', filter]
  const options = ['--timeout=60000', '--bail', ...only]
  const folder = join(copy, 'tmp')
  mkdirSync(folder)
  // Some tests start programs as another system account.
  chmodSync(folder, 0o1777)
  const printed = join(copy, 'printed')
  writeFileSync(printed, '')
  const startedAt = performance.now()
  const child = Bun.spawn(
    ['timeout', `${timeoutS}`, process.execPath, 'test', ...options, ...paths],
    {
      cwd: copy,
      env: { ...process.env, FILEMGR_BIN: '', TMPDIR: folder },
      stdout: 'ignore',
      // A file and not a pipe: a process that a test leaves would keep the pipe open.
      stderr: Bun.file(printed),
    },
  )
  const code = await child.exited
  const seconds = (performance.now() - startedAt) / 1000
  endProcessesBelow(copy)
  rmSync(folder, { recursive: true, force: true })
  const failure = code === 0 ? undefined : readFileSync(printed, 'utf8').slice(-OUTPUT_MAX_CHARS)
  return { failure, seconds }
}

/**
 * Ends the processes of a run: their working directory is this folder or one below it, or a word of their command names
 * one. The program of a mounted folder runs in `/`, and a test may have stopped it.
 */
function endProcessesBelow(folder: string): void {
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    try {
      const isInside = `${readlinkSync(`/proc/${pid}/cwd`)}/`.startsWith(`${folder}/`)
      if (isInside || readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(`${folder}/`)) {
        process.kill(Number(pid), 'SIGKILL')
      }
    } catch {
      // It has ended by itself, or belongs to another system account.
    }
  }
}

/** Copies all files that git does not ignore, and the generated sources. Dependencies and built files become links. */
function copySources(copy: string): void {
  const git = (...args: string[]) =>
    Bun.spawnSync(['git', ...args], { cwd: REPO_ROOT })
      .stdout.toString()
      .split('\n')
      .filter(Boolean)
  const generated = git('ls-files', '--others', '--ignored', '--exclude-standard', '*.gen.ts')
  const untracked = git('ls-files', '--others', '--exclude-standard')
  for (const file of [...git('ls-files'), ...untracked, ...generated]) {
    mkdirSync(dirname(join(copy, file)), { recursive: true })
    cpSync(join(REPO_ROOT, file), join(copy, file))
  }
  for (const folder of ['node_modules', 'dist', 'ui/dist']) {
    symlinkSync(join(REPO_ROOT, folder), join(copy, folder))
  }
}
