/**
 * `npm test`: all checks (check/stages.ts). With names of stages, as in `npm run test:api`, only these.
 *
 * Every stage runs, also after one that failed; only if the build fails, the stages that test the executable are left out.
 * Tests that failed run once more at the end, alone (check/verdict.ts). Prints a line for each stage, the output of those that
 * failed, and at the end the names of failed and flaky tests and `N passed, N failed`. dist/tally contains the last line.
 *
 * The exit code is that of the first failure: 1 for the repository, 2 for the machine (check/machine.ts) or a wrong name.
 */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { MachineProblem, mustHaveRoom, watchRoom } from './check/machine.ts'
import { endPrograms } from './check/process.ts'
import { checkProofs } from './check/proof.ts'
import type { TestResult } from './check/reports.ts'
import { PHASES, type Stage } from './check/stages.ts'
import { closingLines, flakyReport, verdictOf } from './check/verdict.ts'
import { REPO_ROOT } from './repo-root.ts'

const DIST = join(REPO_ROOT, 'dist')
/** If tests of more files fail, they do not run again: the reason is a change, and not chance. */
const REPEATED_FILES_MAX = 20

const wanted = stagesNamed(process.argv.slice(2))
try {
  mkdirSync(DIST, { recursive: true })
  mustHaveRoom()
  for (const prepare of new Set(wanted.map((stage) => stage.prepare))) prepare?.()
} catch (error) {
  endWith(error)
}
const endWatch = watchRoom(endWith)
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.on(signal, () => {
    endPrograms()
    process.exit(1)
  })
}

/** The results of the first run of each stage with tests. */
const first = new Map<Stage, TestResult[]>()
/** Whether the executable was built, or the caller says so by leaving the stage out. */
let isBuilt = true
for (const lanes of PHASES) await Promise.all(lanes.map(runLane))

const second = await repeatFailed()
endWatch()
const verdict = verdictOf([...first.values()].flat(), second)
writeFileSync(join(DIST, 'flaky.json'), flakyReport(verdict.flaky))
// Only a run of all stages can prove all statements.
if (process.argv.length === 2 && isBuilt)
  report('proofs', performance.now(), checkProofs(verdict.results))
if (!verdict.isGreen) process.exitCode ??= 1
const lines = closingLines(verdict)
writeFileSync(join(DIST, 'tally'), `${lines.at(-1)}\n`)
console.log(lines.join('\n'))

/** @returns the stages with these names, or all stages. Ends with 2 and a sentence for an unknown name. */
function stagesNamed(names: readonly string[]): Stage[] {
  const all = PHASES.flat(2)
  const unknown = names.find((name) => !all.some((stage) => stage.name === name))
  if (unknown !== undefined) {
    const known = all.map(({ name }) => name).join(', ')
    console.error(`There is no stage ${unknown}. There are: ${known}.`)
    process.exit(2)
  }
  return all.filter(({ name }) => names.length === 0 || names.includes(name))
}

/** Ends the check because the machine cannot run it, with a sentence instead of failed tests. */
function endWith(error: unknown): never {
  endPrograms()
  if (!(error instanceof MachineProblem)) throw error
  console.error(error.message)
  process.exit(2)
}

async function runLane(lane: readonly Stage[]): Promise<void> {
  for (const stage of lane) {
    if (!wanted.includes(stage)) continue
    if (stage.needsBuild && !isBuilt)
      console.log(`${stage.name.padEnd(20)} left out: the build failed`)
    else await runStage(stage)
  }
}

async function runStage(stage: Stage): Promise<void> {
  const startedAt = performance.now()
  if ('check' in stage.work) {
    const failure = await stage.work.check()
    if (failure !== undefined && stage.name === 'build') isBuilt = false
    report(stage.name, startedAt, failure)
    return
  }
  const { results, output } = await stage.work.run()
  first.set(stage, results)
  const passed = results.filter(({ outcome }) => outcome === 'passed').length
  const failed = results.filter(({ outcome }) => outcome === 'failed').length
  // A failed test decides only after its second run.
  const summary = failed > 0 ? `${passed} passed, ${failed} failed` : `${passed} passed`
  printLine(stage.name, startedAt, summary)
  if (failed > 0) console.error(output)
}

/** Runs the failed tests of all stages once more. @returns their results */
async function repeatFailed(): Promise<TestResult[]> {
  const failedOf = (results: TestResult[]) => results.filter(({ outcome }) => outcome === 'failed')
  const failed = failedOf([...first.values()].flat())
  if (new Set(failed.map(({ file }) => file)).size > REPEATED_FILES_MAX) {
    console.log(`Tests of more than ${REPEATED_FILES_MAX} files failed, so they do not run again.`)
    return []
  }
  const again: TestResult[] = []
  for (const [{ name, work }, results] of first) {
    const repeated = failedOf(results)
    if (repeated.length === 0 || 'check' in work) continue
    const startedAt = performance.now()
    const run = await work.repeat(repeated)
    again.push(...run.results)
    const stillFailed = failedOf(run.results).length
    printLine(`${name} again`, startedAt, `${stillFailed} failed`)
    if (stillFailed > 0) console.error(run.output)
  }
  return again
}

/** Prints the line of a stage without tests. @param failure its output; undefined if it succeeded */
function report(name: string, startedAt: number, failure: string | undefined): void {
  printLine(name, startedAt, failure === undefined ? 'ok' : 'FAILED')
  if (failure === undefined) return
  console.error(failure)
  process.exitCode ??= 1
}

function printLine(name: string, startedAt: number, result: string): void {
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1)
  console.log(`${name.padEnd(20)} ${seconds.padStart(6)} s   ${result}`)
}
