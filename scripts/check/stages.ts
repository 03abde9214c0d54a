/** The stages of the check, and which run at the same time. */
import { join } from 'node:path'
import { REPO_ROOT } from '../repo-root.ts'
import { mustHaveBrowsers, mustHavePrograms } from './machine.ts'
import { run } from './process.ts'
import { browserSuite, bunSuite, type Suite } from './suites.ts'

export interface Stage {
  name: string
  /** Whether it needs the executable, so that it is left out if the build fails. */
  needsBuild: boolean
  /** What must be there before the check begins. @throws MachineProblem */
  prepare?(): void
  work: Check | Suite
}

/** A check without tests. */
export interface Check {
  /** @returns the output of a failure; undefined if it succeeded */
  check(): Promise<string | undefined>
}

/** Its stages run one after the other. */
type Lane = Stage[]
/** Its lanes run at the same time. */
type Phase = Lane[]

const BIN = join(REPO_ROOT, 'node_modules/.bin')
const PROJECTS = ['server', 'ui', 'ui/worker', 'test']
const UNIT = ['architecture.test.ts', 'server', 'cli', 'ui', 'scripts', 'contract']

export const PHASES: readonly Phase[] = [
  [
    [check('lint', [join(BIN, 'biome'), 'check', '--error-on-warnings'])],
    [check('types', ...PROJECTS.map((project) => [join(BIN, 'tsc'), '-p', project]))],
  ],
  [[check('build', [process.execPath, 'scripts/build.ts'])]],
  // Each of the following keeps all cores busy.
  [[tests('api', ['api'])]],
  [[tests('unit', UNIT)]],
  // It builds for Windows and installs packages beside the executable that other files of it start.
  [[tests('packaging', ['packaging', 'windows'], { isAlone: true })]],
  // Kills, floods and random requests.
  [[tests('trust', ['attacks', 'faults', 'cluster', 'soak'])]],
  [[{ name: 'e2e', needsBuild: true, prepare: mustHaveBrowsers, work: browserSuite() }]],
]

/** Programs that must succeed, one after the other. */
function check(name: string, ...commands: string[][]): Stage {
  const runAll = async () => {
    const failures: string[] = []
    for (const command of commands) {
      const { code, output } = await run(command)
      if (code !== 0) failures.push(output)
    }
    return failures.length > 0 ? failures.join('\n') : undefined
  }
  return { name, needsBuild: false, work: { check: runAll } }
}

function tests(name: string, paths: readonly string[], options?: { isAlone: boolean }): Stage {
  return { name, needsBuild: true, prepare: mustHavePrograms, work: bunSuite(name, paths, options) }
}
