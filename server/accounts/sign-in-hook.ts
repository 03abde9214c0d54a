/** A program of the operator's that decides who may enter (docs/api.md 3, hook protocol). */
import { CONCURRENCY_LIMITS } from '#server/access/concurrency-limits.ts'
import { Semaphore } from '#server/access/semaphore.ts'
import { SORT_KEYS } from '#wire/entry.ts'
import { Fault } from '#wire/fault.ts'
import { isLanguage } from '#wire/languages.ts'
import { normalPermissions, PERMISSIONS } from '#wire/permissions.ts'
import type { Credentials } from '#wire/session.ts'
import { preferencesShape } from '#wire/shapes.ts'
import { type User, VIEW_MODES } from '#wire/user.ts'
import type { UserChanges } from './user-changes.ts'

/** What one run of the program may cost: time, and how much it may say. */
export const HOOK_LIMITS = { timeMs: 30_000, answerBytes: 64 * 1024 }

/** What a program said just before it ended is still on its way. */
const OUTPUT_GRACE_MS = 200

const semaphore = new Semaphore(CONCURRENCY_LIMITS.signInCommands)

export interface HookResult {
  action: 'auth' | 'block' | 'pass'
  /** What it says of the person, by its own keys: `user.scope`, `user.perm.admin`, … */
  fields: ReadonlyMap<string, string>
}

/**
 * Runs the program, so many of them at a time. Name and password reach it in its environment alone: no
 * shell, nothing spliced into words (CVE-2026-54088).
 *
 * @param command words separated by spaces
 * @param signal whoever asks has left: the program ends, with all it started
 * @throws Fault internal when it cannot be run, fails, takes too long, or says nothing that can be
 *   understood; unavailable when too many wait; aborted when nobody waits for the answer
 */
export function runSignInHook(
  command: string,
  { username, password }: Pick<Credentials, 'username' | 'password'>,
  signal: AbortSignal | undefined,
  limits = HOOK_LIMITS,
): Promise<HookResult> {
  return semaphore.run(async () => {
    if (signal?.aborted) throw gone()
    try {
      const env = { USERNAME: username, PASSWORD: password }
      return readResult(await answerOf(command.split(' ').filter(Boolean), env, signal, limits))
    } catch (cause) {
      if (signal?.aborted) throw gone()
      throw new Fault('internal', 'The sign-in command failed.', { cause })
    }
  })
}

/** What a program says. @throws Error when it fails, says too much, or is not done in time */
async function answerOf(
  argv: string[],
  values: Record<string, string>,
  signal: AbortSignal | undefined,
  { timeMs, answerBytes }: typeof HOOK_LIMITS,
): Promise<string> {
  const { PATH = '/usr/bin:/bin', HOME = '/', LANG = 'C.UTF-8' } = process.env
  const child = Bun.spawn(argv, {
    env: { PATH, HOME, LANG, ...values },
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'inherit',
    // A session, and so a group, of its own: what the program started ends with it.
    detached: true,
  })
  const over = signal
    ? AbortSignal.any([signal, AbortSignal.timeout(timeMs)])
    : AbortSignal.timeout(timeMs)
  const output = child.stdout.pipeThrough(new TextDecoderStream()).getReader()
  // Whoever the program left behind, in a session of its own, may hold the output open for ever.
  const hangUp = () => void output.cancel().catch(() => undefined)
  const end = () => {
    killGroup(child.pid)
    hangUp()
  }
  over.addEventListener('abort', end)
  if (over.aborted) end()
  void child.exited.then(() => Bun.sleep(OUTPUT_GRACE_MS)).then(hangUp)
  try {
    let answer = ''
    for (let part = await output.read(); !part.done; part = await output.read()) {
      answer += part.value
      if (answer.length > answerBytes) throw new Error('it said too much')
    }
    const code = await child.exited
    over.throwIfAborted()
    if (code !== 0) throw new Error(`it ended with ${child.signalCode ?? code}`)
    return answer
  } finally {
    over.removeEventListener('abort', end)
    end()
  }
}

function killGroup(leader: number): void {
  try {
    process.kill(-leader, 'SIGKILL')
  } catch {
    // All of it has ended.
  }
}

function gone(): Fault {
  return new Fault('aborted', 'The client has disconnected.')
}

/** What the program says of a person, laid over what is known of them. */
export function changesIn(
  fields: HookResult['fields'],
  now: Pick<User, 'perm' | 'sorting'>,
): UserChanges {
  const changes: UserChanges = {}
  for (const key of ['scope', 'locale', 'aceEditorTheme'] as const) {
    const value = fields.get(`user.${key}`)
    if (value && MAY_BE[key](value)) changes[key] = value
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
  const answer = PERMISSIONS.filter((name) => fields.has(`user.perm.${name}`))
  if (answer.length > 0) {
    const entries = answer.map(
      (name) => [name, fields.get(`user.perm.${name}`) === 'true'] as const,
    )
    changes.perm = normalPermissions({ ...now.perm, ...Object.fromEntries(entries) })
  }
  return changes
}

/** What makes no sense is as if it had not been said. */
const MAY_BE = {
  scope: () => true,
  locale: isLanguage,
  aceEditorTheme: (name: string) => preferencesShape.shape.aceEditorTheme.safeParse(name).success,
} as const

const SWITCHES = ['singleClick', 'redirectAfterCopyMove', 'hideDotfiles', 'dateFormat'] as const
const ACTIONS = ['auth', 'block', 'pass'] as const

function readResult(answer: string): HookResult {
  const fields = new Map<string, string>()
  for (const line of answer.split('\n')) {
    const at = line.indexOf('=')
    if (at > 0) fields.set(line.slice(0, at).trim(), line.slice(at + 1).trim())
  }
  const named = fields.get('hook.action')
  const action = ACTIONS.find((known) => known === named)
  if (!action) throw new Error(`it said hook.action=${named ?? ''}`)
  fields.delete('hook.action')
  return { action, fields }
}
