/** The operator's program that verifies sign-ins (docs/api.md 3, hook protocol). */

import { CONCURRENCY_LIMITS } from '#server/limits/concurrency-limits.ts'
import { Limiter } from '#server/limits/limiter.ts'
import { SORT_KEYS } from '#wire/api/entry.ts'
import type { Credentials } from '#wire/api/session.ts'
import { type User, VIEW_MODES } from '#wire/api/user.ts'
import { Fault } from '#wire/fault.ts'
import { isLanguage } from '#wire/languages.ts'
import { normalPermissions, PERMISSIONS } from '#wire/permissions.ts'
import { preferencesShape } from '#wire/shapes/shapes.ts'
import type { UserChanges } from '../users/user-changes.ts'

/** Limits of one run: time and output. */
export const HOOK_LIMITS = { timeMs: 30_000, outputBytes: 64 * 1024 }

/** Time to read the output that the program wrote right before its end. */
const OUTPUT_GRACE_MS = 200

const running = new Limiter(CONCURRENCY_LIMITS.signInCommands)

export interface HookResult {
  action: 'auth' | 'block' | 'pass'
  /** User fields by the program's own keys: `user.scope`, `user.perm.admin`, … */
  fields: ReadonlyMap<string, string>
}

/**
 * Runs the program; the number of parallel runs is limited. Name and password are passed only in the environment,
 * never through a shell or as arguments (CVE-2026-54088).
 *
 * @param command words separated by spaces
 * @param signal aborted if the client has left; the program and its children are ended
 * @throws Fault internal if it cannot be run, fails, takes too long, or has invalid output; unavailable if too many
 *   wait; aborted
 */
export function runSignInHook(
  command: string,
  { username, password }: Pick<Credentials, 'username' | 'password'>,
  signal: AbortSignal | undefined,
  limits = HOOK_LIMITS,
): Promise<HookResult> {
  return running.run(async () => {
    if (signal?.aborted) throw clientDisconnected()
    try {
      const env = { USERNAME: username, PASSWORD: password }
      return readResult(await outputOf(command.split(' ').filter(Boolean), env, signal, limits))
    } catch (cause) {
      if (signal?.aborted) throw clientDisconnected()
      throw new Fault('internal', 'The sign-in command failed. The log of the server says why.', {
        cause,
      })
    }
  })
}

/**
 * Reads the program's output.
 *
 * @throws Error if it fails, writes too much, or takes too long
 */
async function outputOf(
  argv: string[],
  values: Record<string, string>,
  signal: AbortSignal | undefined,
  { timeMs, outputBytes }: typeof HOOK_LIMITS,
): Promise<string> {
  const { PATH = '/usr/bin:/bin', HOME = '/', LANG = 'C.UTF-8' } = process.env
  const child = Bun.spawn(argv, {
    env: { PATH, HOME, LANG, ...values },
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'inherit',
    // A session of its own, so that its children end with it.
    detached: true,
  })
  const stopSignal = signal
    ? AbortSignal.any([signal, AbortSignal.timeout(timeMs)])
    : AbortSignal.timeout(timeMs)
  const output = child.stdout.getReader()
  // A child in another session may keep the output open.
  const closeOutput = () => void output.cancel().catch(() => undefined)
  const end = () => {
    killGroup(child.pid)
    closeOutput()
  }
  stopSignal.addEventListener('abort', end)
  if (stopSignal.aborted) end()
  void child.exited.then(() => Bun.sleep(OUTPUT_GRACE_MS)).then(closeOutput)
  try {
    const decoder = new TextDecoder()
    let [text, bytes] = ['', 0]
    for (let part = await output.read(); !part.done; part = await output.read()) {
      bytes += part.value.length
      if (bytes > outputBytes) throw new Error('it wrote too much')
      text += decoder.decode(part.value, { stream: true })
    }
    const code = await child.exited
    stopSignal.throwIfAborted()
    if (code !== 0) throw new Error(`it ended with ${child.signalCode ?? code}`)
    return text + decoder.decode()
  } finally {
    stopSignal.removeEventListener('abort', end)
    end()
  }
}

function killGroup(leader: number): void {
  try {
    process.kill(-leader, 'SIGKILL')
  } catch {
    // All processes have ended.
  }
}

function clientDisconnected(): Fault {
  return new Fault('aborted', 'The client closed the connection.')
}

/** Merges the program's fields into the user's data. */
export function applyHookFields(
  fields: HookResult['fields'],
  current: Pick<User, 'perm' | 'sorting'>,
): UserChanges {
  const changes: UserChanges = {}
  for (const key of ['scope', 'locale', 'aceEditorTheme'] as const) {
    const value = fields.get(`user.${key}`)
    if (value && VALIDATORS[key](value)) changes[key] = value
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
    changes.sorting = {
      by: by ?? current.sorting.by,
      asc: asc ? asc === 'true' : current.sorting.asc,
    }
  }
  const permissions = PERMISSIONS.filter((name) => fields.has(`user.perm.${name}`))
  if (permissions.length > 0) {
    const entries = permissions.map(
      (name) => [name, fields.get(`user.perm.${name}`) === 'true'] as const,
    )
    changes.perm = normalPermissions({ ...current.perm, ...Object.fromEntries(entries) })
  }
  return changes
}

/** Fields with invalid values are ignored. */
const VALIDATORS = {
  scope: () => true,
  locale: isLanguage,
  aceEditorTheme: (name: string) => preferencesShape.shape.aceEditorTheme.safeParse(name).success,
} as const

const SWITCHES = ['singleClick', 'redirectAfterCopyMove', 'hideDotfiles', 'dateFormat'] as const
const ACTION = 'hook.action'
const ACTIONS = ['auth', 'block', 'pass'] as const

function readResult(output: string): HookResult {
  const fields = new Map<string, string>()
  for (const line of output.split('\n')) {
    const separator = line.indexOf('=')
    if (separator <= 0) continue
    const [name, value] = [line.slice(0, separator).trim(), line.slice(separator + 1).trim()]
    // A program that prints user input could otherwise be made to print a second action.
    if (name === ACTION && (fields.get(name) ?? value) !== value) {
      throw new Error(`it wrote two different ${ACTION}`)
    }
    fields.set(name, value)
  }
  const named = fields.get(ACTION)
  const action = ACTIONS.find((known) => known === named)
  if (!action) throw new Error(`it wrote ${ACTION}=${named ?? ''}`)
  fields.delete(ACTION)
  return { action, fields }
}
