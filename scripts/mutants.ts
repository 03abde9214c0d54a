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
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { parseArgs } from 'node:util'
import { HOUSE } from './house.ts'

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

type Result = 'killed' | 'SURVIVED' | 'STALE' | 'TESTS FAIL WITHOUT IT'

const TABLES = join(HOUSE, 'test/mutants')
const TIMEOUT_S = 300

const { values, positionals } = parseArgs({
  args: process.argv.slice(2),
  allowPositionals: true,
  options: { 'at-once': { type: 'string', default: '2' } },
})
const atOnce = Number(values['at-once'])
const [wanted = ''] = positionals
const mutants = readMutants(wanted)
const pending = [...mutants.entries()].reverse()
/** Whether tests pass as the source is; asked once for each set. */
const sound = new Map<string, Promise<boolean>>()
const results: Result[] = []
const temporary = mkdtempSync(join(process.env.TMPDIR ?? '/tmp', 'filemgr-mutants-'))
// Some tests start the sources as another account.
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
  }
}

async function resultOf(mutant: Mutant, copy: string): Promise<Result> {
  const { file, find, replace, tests, filter } = mutant
  const path = join(copy, file)
  const source = readFileSync(join(HOUSE, file), 'utf8')
  if (source.split(find).length !== 2) return 'STALE'
  const set = [...tests, filter].join(' ')
  if (!sound.has(set)) sound.set(set, passes(copy, mutant))
  if (!(await sound.get(set))) return 'TESTS FAIL WITHOUT IT'
  writeFileSync(
    path,
    source.replace(find, () => replace),
  )
  try {
    return (await passes(copy, mutant)) ? 'SURVIVED' : 'killed'
  } finally {
    writeFileSync(path, source)
  }
}

async function passes(copy: string, { tests, filter }: Mutant): Promise<boolean> {
  const paths = tests.map((test) => `./${test}`)
  const only = filter === undefined ? [] : ['--test-name-pattern', filter]
  const run = Bun.spawn(
    [
      'timeout',
      `${TIMEOUT_S}`,
      process.execPath,
      'test',
      '--timeout=60000',
      '--bail',
      ...only,
      ...paths,
    ],
    { cwd: copy, env: { ...process.env, FILEMGR_BIN: '' }, stdout: 'ignore', stderr: 'ignore' },
  )
  return (await run.exited) === 0
}

/** What git knows, with what the build generates beside it. */
function copySources(copy: string): void {
  const git = (...args: string[]) =>
    Bun.spawnSync(['git', ...args], { cwd: HOUSE })
      .stdout.toString()
      .split('\n')
      .filter(Boolean)
  const generated = git('ls-files', '--others', '--ignored', '--exclude-standard', '*.gen.ts')
  for (const file of [...git('ls-files'), ...generated]) {
    mkdirSync(dirname(join(copy, file)), { recursive: true })
    cpSync(join(HOUSE, file), join(copy, file))
  }
  for (const folder of ['node_modules', 'dist', 'ui/dist']) {
    symlinkSync(join(HOUSE, folder), join(copy, folder))
  }
}
