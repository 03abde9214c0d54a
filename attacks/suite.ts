/** The catalogue of attacks by class, each class on a server of its own. */

import type { AttackCase } from './case.ts'
import { appPasswordCases } from './cases/app-passwords.ts'
import { archiveCases } from './cases/archives.ts'
import { commandCases, WITH_COMMANDS } from './cases/commands.ts'
import { directoryCases } from './cases/directories.ts'
import { downloadCases } from './cases/downloads.ts'
import { expressionCases } from './cases/expressions.ts'
import { floodCases, WITH_SHORT_SILENCE } from './cases/floods.ts'
import { hangUpCases } from './cases/hang-ups.ts'
import { identityCases } from './cases/identity.ts'
import { invitationCases } from './cases/invitations.ts'
import { jailCases, WITH_FEW_PROCESSES } from './cases/jail.ts'
import { lateCases } from './cases/late.ts'
import { linkRuleCases } from './cases/link-rules.ts'
import { linkCases } from './cases/links.ts'
import { mountCases } from './cases/mounts.ts'
import { noSignInCases } from './cases/no-sign-in.ts'
import { ownFileCases } from './cases/own-files.ts'
import { passkeyCases } from './cases/passkeys.ts'
import { pathCases } from './cases/paths.ts'
import { permissionCases } from './cases/permissions.ts'
import { providerCases } from './cases/providers.ts'
import { resourceCases } from './cases/resources.ts'
import { ruleCases } from './cases/rules.ts'
import { secondFactorCases } from './cases/second-factor.ts'
import { sessionCases } from './cases/sessions.ts'
import { shareCases } from './cases/shares.ts'
import { trashCases } from './cases/trash.ts'
import { uploadCases } from './cases/uploads.ts'
import { userCases } from './cases/users.ts'
import { openFixture } from './fixture.ts'
import { canMount } from './mount.ts'
import type { Setup } from './server.ts'

export interface AttackClass {
  name: string
  cases: readonly AttackCase[]
  /** The server options of the class. */
  setup?: Setup
}

export const ATTACK_CLASSES: readonly AttackClass[] = [
  { name: 'Path traversal', cases: pathCases },
  { name: 'Links and races', cases: [...linkCases, ...linkRuleCases] },
  { name: 'Access rules', cases: [...ruleCases, ...expressionCases] },
  { name: 'Permissions', cases: permissionCases },
  { name: 'Public links', cases: shareCases },
  { name: 'Users and sign-up', cases: [...userCases, ...invitationCases] },
  {
    name: 'Sessions, app passwords and second factors',
    cases: [
      ...[...appPasswordCases, ...secondFactorCases, ...passkeyCases],
      ...[...identityCases, ...providerCases, ...directoryCases, ...sessionCases],
    ],
  },
  { name: 'Resumable uploads', cases: uploadCases },
  { name: 'Downloads and scripts', cases: downloadCases },
  { name: 'Commands', cases: commandCases, setup: { args: WITH_COMMANDS } },
  { name: 'The isolation of commands', cases: jailCases, setup: { args: WITH_FEW_PROCESSES } },
  { name: 'Resources', cases: resourceCases },
  {
    name: 'Server files in the served folder',
    cases: ownFileCases,
    setup: { stateInRoot: true },
  },
  { name: 'Mounted file systems', cases: mountCases, setup: { mount: true } },
  { name: 'Floods', cases: floodCases, setup: { args: WITH_SHORT_SILENCE } },
  { name: 'Interrupted and concurrent requests', cases: hangUpCases },
  { name: 'Rights withdrawn during a request', cases: lateCases },
  { name: 'Trash and earlier versions', cases: trashCases },
  { name: 'Archives that are read without extraction', cases: archiveCases },
  { name: 'Without sign-in', cases: noSignInCases, setup: { noSignIn: true } },
]

/** No case takes so long, even on a slow machine. */
const CASE_MAX_MS = 5 * 60_000

export interface AttackResult {
  attackCase: AttackCase
  /** Why the case failed: the attack succeeded, its legitimate counterpart did not work, or an error was thrown. */
  breach: string | undefined
}

/**
 * Runs the whole catalogue, except classes that this machine cannot run (`skippedClasses`).
 *
 * @param program the executable with its first arguments
 * @yields each case when it ends
 * @returns the number of requests that the fixtures have sent; others open connections of their own
 * @throws Error if a server does not start
 */
export async function* runAttacks(
  program: readonly string[],
): AsyncGenerator<AttackResult, number> {
  let sent = 0
  for (const { cases, setup } of ATTACK_CLASSES) {
    if (setup?.mount && !canMount()) continue
    await using fixture = await openFixture(program, setup)
    for (const attackCase of cases) {
      fixture.reset()
      yield { attackCase, breach: await breachOf(() => attackCase.run(fixture), CASE_MAX_MS) }
    }
    sent += fixture.sent
  }
  return sent
}

/** The classes that this machine cannot run, with the reason. */
export function skippedClasses(): string[] {
  const reason = 'this account may not mount file systems'
  const classes = canMount() ? [] : ATTACK_CLASSES.filter(({ setup }) => setup?.mount)
  return classes.map(({ name }) => `${name}: ${reason}`)
}

/**
 * Runs a case. A server that never responds must not make the catalogue wait for ever.
 *
 * @returns why the case failed; undefined if it passed
 */
export async function breachOf(
  run: () => Promise<void>,
  maxMs: number,
): Promise<string | undefined> {
  let timer: Timer | undefined
  const timeout = new Promise<string>((resolve) => {
    timer = setTimeout(() => resolve(`The case did not end within ${maxMs / 1000} seconds.`), maxMs)
  })
  try {
    return await Promise.race([run().then(() => undefined), timeout])
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  } finally {
    clearTimeout(timer)
  }
}
