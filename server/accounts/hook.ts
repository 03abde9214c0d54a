/** A program of the operator's that decides who may enter (contract 3, hook protocol). */
import { SORT_KEYS } from '#wire/entry.ts'
import { Fault } from '#wire/fault.ts'
import { normalPermissions, PERMISSIONS } from '#wire/permissions.ts'
import { type User, VIEW_MODES } from '#wire/user.ts'
import type { UserChanges } from './users.ts'

/** How long the program may take, and how much it may say. */
const ANSWER_WITHIN_MS = 30_000
const ANSWER_MAX_BYTES = 64 * 1024

export interface Verdict {
  action: 'auth' | 'block' | 'pass'
  /** What it says of the person, by its own keys: `user.scope`, `user.perm.admin`, … */
  fields: ReadonlyMap<string, string>
}

/**
 * Runs the program. Name and password reach it in its environment alone: no shell, nothing spliced
 * into words (CVE-2026-54088).
 *
 * @param command words separated by spaces
 * @throws Fault internal when it cannot be run, fails, or says nothing that can be understood
 */
export async function askHook(
  command: string,
  username: string,
  password: string,
): Promise<Verdict> {
  const { PATH = '/usr/bin:/bin', HOME = '/', LANG = 'C.UTF-8' } = process.env
  try {
    await using child = Bun.spawn(command.split(' ').filter(Boolean), {
      env: { PATH, HOME, LANG, USERNAME: username, PASSWORD: password },
      stdin: 'ignore',
      stdout: 'pipe',
      stderr: 'inherit',
      timeout: ANSWER_WITHIN_MS,
      maxBuffer: ANSWER_MAX_BYTES,
      killSignal: 'SIGKILL',
    })
    const said = await new Response(child.stdout).text()
    const code = await child.exited
    if (code !== 0) throw new Error(`it ended with ${child.signalCode ?? code}`)
    return readVerdict(said)
  } catch (cause) {
    throw new Fault('internal', 'The sign-in command failed.', { cause })
  }
}

/** What the program says of a person, laid over what is known of them. */
export function changesIn(
  fields: Verdict['fields'],
  now: Pick<User, 'perm' | 'sorting'>,
): UserChanges {
  const changes: UserChanges = {}
  for (const key of ['scope', 'locale', 'aceEditorTheme'] as const) {
    const value = fields.get(`user.${key}`)
    if (value) changes[key] = value
  }
  for (const key of SWITCHES) {
    const value = fields.get(`user.${key}`)
    if (value !== undefined) changes[key] = value === 'true'
  }
  const viewMode = VIEW_MODES.find((mode) => mode === fields.get('user.viewMode'))
  if (viewMode) changes.viewMode = viewMode
  const commands = fields.get('user.commands')?.split(' ').filter(Boolean) ?? []
  if (commands.length > 0) changes.commands = commands
  const by = SORT_KEYS.find((key) => key === fields.get('user.sorting.by'))
  const asc = fields.get('user.sorting.asc')
  if (by || asc) {
    changes.sorting = { by: by ?? now.sorting.by, asc: asc ? asc === 'true' : now.sorting.asc }
  }
  const said = PERMISSIONS.filter((name) => fields.has(`user.perm.${name}`))
  if (said.length > 0) {
    const entries = said.map((name) => [name, fields.get(`user.perm.${name}`) === 'true'] as const)
    changes.perm = normalPermissions({ ...now.perm, ...Object.fromEntries(entries) })
  }
  return changes
}

const SWITCHES = ['singleClick', 'redirectAfterCopyMove', 'hideDotfiles', 'dateFormat'] as const
const ACTIONS = ['auth', 'block', 'pass'] as const

function readVerdict(said: string): Verdict {
  const fields = new Map<string, string>()
  for (const line of said.split('\n')) {
    const at = line.indexOf('=')
    if (at > 0) fields.set(line.slice(0, at).trim(), line.slice(at + 1).trim())
  }
  const named = fields.get('hook.action')
  const action = ACTIONS.find((known) => known === named)
  if (!action) throw new Error(`it said hook.action=${named ?? ''}`)
  fields.delete('hook.action')
  return { action, fields }
}
