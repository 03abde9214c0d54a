/**
 * `npm run mutants [-- TEXT] [--at-once=2]`: takes single checks out of the source, one at a time, and
 * runs the tests that must notice. The tables are test/mutants/*.json: a row for each permission, rule,
 * limit and flush. With a text, only rows that hold it, or the rows of the table NAME.json.
 *
 * A mutant that no test notices survives; one whose line is not in the source exactly once is stale. Both
 * fail. Nothing is changed in the repository: each runs in a copy below the system's temporary folder.
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
  /** Source text that is there exactly once. */
  find: string
  replace: string
  /** What is lost with it. */
  what: string
  tests: string[]
  /** Only tests whose titles hold this, where the whole file takes long. */
  filter?: string
}

interface Run {
  /** The end of what the tests print when they fail. */
  failure: string | undefined
  seconds: number
}

type Result = 'killed' | 'SURVIVED' | 'STALE' | 'TESTS FAIL WITHOUT IT'

const TABLES = join(REPO_ROOT, 'test/mutants')
/** For tests of the source as it is; with a check taken out, for so many times what they took, and more. */
const TIMEOUT_S = 300
const PATIENCE = 3
const PATIENCE_MORE_S = 20
/** Characters of what failing tests print. */
const OUTPUT_MAX = 4000

const { values, positionals } = parseArgs({
  args: process.argv.slice(2),
  allowPositionals: true,
  options: { 'at-once': { type: 'string', default: '2' } },
})
const atOnce = Number(values['at-once'])
const [wanted = ''] = positionals
const mutants = readMutants(wanted)
const pending = [...mutants.entries()].reverse()
/** The tests with the source as it is; asked once for each set. */
const sound = new Map<string, Promise<Run>>()
const results: Result[] = []
const temporary = mkdtempSync(join(process.env.TMPDIR ?? '/tmp', 'filemgr-mutants-'))
// Some tests start the sources as another system account.
chmodSync(temporary, 0o755)
try {
  await Promise.all(
    Array.from({ length: atOnce }, (_, number) => work(join(temporary, `${number}`))),
  )
} finally {
  rmSync(temporary, { recursive: true, force: true })
}
const survivors = results.filter((result) => result !== 'killed').length
console.log(`${results.length - survivors} killed, ${survivors} not`)
if (survivors > 0) process.exitCode = 1

/** The rows of a table, by its name, or those of all that hold a text. */
function readMutants(wanted: string): Mutant[] {
  const names = readdirSync(TABLES)
    .filter((name) => name.endsWith('.json'))
    .sort()
  const rows = (name: string): Mutant[] => JSON.parse(readFileSync(join(TABLES, name), 'utf8'))
  if (names.includes(wanted)) return rows(wanted)
  return names.flatMap(rows).filter((mutant) => JSON.stringify(mutant).includes(wanted))
}

async function work(copy: string): Promise<void> {
  copySources(copy)
  for (let next = pending.pop(); next; next = pending.pop()) {
    const [, mutant] = next
    const result = await resultOf(mutant, copy)
    results.push(result)
    console.log(`${result.padEnd(8)}  ${mutant.file}: ${mutant.what}`)
    if (result === 'TESTS FAIL WITHOUT IT') console.log((await sound.get(setOf(mutant)))?.failure)
  }
}

async function resultOf(mutant: Mutant, copy: string): Promise<Result> {
  const { file, find, replace } = mutant
  const path = join(copy, file)
  const source = readFileSync(join(REPO_ROOT, file), 'utf8')
  if (source.split(find).length !== 2) return 'STALE'
  const set = setOf(mutant)
  if (!sound.has(set)) sound.set(set, run(copy, mutant, TIMEOUT_S))
  const { failure, seconds } = (await sound.get(set)) ?? { failure: '', seconds: 0 }
  if (failure !== undefined) return 'TESTS FAIL WITHOUT IT'
  writeFileSync(
    path,
    source.replace(find, () => replace),
  )
  try {
    const without = await run(copy, mutant, PATIENCE_MORE_S + PATIENCE * seconds)
    return without.failure === undefined ? 'SURVIVED' : 'killed'
  } finally {
    writeFileSync(path, source)
  }
}

function setOf({ tests, filter }: Mutant): string {
  return [...tests, filter].join(' ')
}

/** Runs the tests of a row, with a temporary folder of their own, and ends what they leave behind. */
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
  const began = performance.now()
  const child = Bun.spawn(
    ['timeout', `${timeoutS}`, process.execPath, 'test', ...options, ...paths],
    {
      cwd: copy,
      env: { ...process.env, FILEMGR_BIN: '', TMPDIR: folder },
      stdout: 'ignore',
      // Not a pipe: what a test leaves behind would hold it open.
      stderr: Bun.file(printed),
    },
  )
  const code = await child.exited
  const seconds = (performance.now() - began) / 1000
  endProcessesBelow(copy)
  rmSync(folder, { recursive: true, force: true })
  const failure = code === 0 ? undefined : readFileSync(printed, 'utf8').slice(-OUTPUT_MAX)
  return { failure, seconds }
}

/** Ends the processes that stand in a folder or below it. */
function endProcessesBelow(folder: string): void {
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    try {
      if (`${readlinkSync(`/proc/${pid}/cwd`)}/`.startsWith(`${folder}/`)) {
        process.kill(Number(pid), 'SIGKILL')
      }
    } catch {
      // It has ended by itself, or belongs to another system account.
    }
  }
}

/** What git knows or would, with what the build generates beside it. */
function copySources(copy: string): void {
  const git = (...args: string[]) =>
    Bun.spawnSync(['git', ...args], { cwd: REPO_ROOT })
      .stdout.toString()
      .split('\n')
      .filter(Boolean)
  const generated = git('ls-files', '--others', '--ignored', '--exclude-standard', '*.gen.ts')
  const added = git('ls-files', '--others', '--exclude-standard')
  for (const file of [...git('ls-files'), ...added, ...generated]) {
    mkdirSync(dirname(join(copy, file)), { recursive: true })
    cpSync(join(REPO_ROOT, file), join(copy, file))
  }
  for (const folder of ['node_modules', 'dist', 'ui/dist']) {
    symlinkSync(join(REPO_ROOT, folder), join(copy, folder))
  }
}
