/** The catalogue: every class of attacks, each on a server of its own. */
import type { Case } from './case.ts'
import { commandCases, WITH_COMMANDS } from './cases/commands.ts'
import { downloadCases } from './cases/downloads.ts'
import { linkCases } from './cases/links.ts'
import { pathCases } from './cases/paths.ts'
import { permissionCases } from './cases/permissions.ts'
import { resourceCases } from './cases/resources.ts'
import { ruleCases } from './cases/rules.ts'
import { sessionCases } from './cases/sessions.ts'
import { shareCases } from './cases/shares.ts'
import { uploadCases } from './cases/uploads.ts'
import { userCases } from './cases/users.ts'
import { openWorld } from './world.ts'

export interface AttackClass {
  name: string
  cases: readonly Case[]
  /** More words for `serve`. */
  words?: string[]
}

export const CLASSES: readonly AttackClass[] = [
  { name: 'Path traversal', cases: pathCases },
  { name: 'Links and races', cases: linkCases },
  { name: 'Access rules', cases: ruleCases },
  { name: 'Permissions', cases: permissionCases },
  { name: 'Public links', cases: shareCases },
  { name: 'People and sign-up', cases: userCases },
  { name: 'Sessions', cases: sessionCases },
  { name: 'Resumable uploads', cases: uploadCases },
  { name: 'Downloads and scripts', cases: downloadCases },
  { name: 'Commands', cases: commandCases, words: WITH_COMMANDS },
  { name: 'Resources', cases: resourceCases },
]

export interface Outcome {
  one: Case
  /** Why it came through; undefined when it was repelled. */
  breach: string | undefined
}

/**
 * Plays the whole catalogue.
 *
 * @param program the executable with its first words
 * @yields each case as it ends
 * @returns how many requests were sent
 * @throws Error when a server does not start
 */
export async function* playAttacks(program: readonly string[]): AsyncGenerator<Outcome, number> {
  let sent = 0
  for (const { cases, words } of CLASSES) {
    await using world = await openWorld(program, words)
    for (const one of cases) {
      world.reset()
      yield { one, breach: await breachOf(() => one.run(world)) }
    }
    sent += world.sent
  }
  return sent
}

async function breachOf(run: () => Promise<void>): Promise<string | undefined> {
  try {
    await run()
    return undefined
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}
