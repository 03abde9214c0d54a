/** Imports users from a document, all or none (docs/api.md 9.5). */
import type { UserRows } from '#server/db/rows/users.ts'
import type { UserDefaults } from '#wire/api/settings.ts'
import { Fault } from '#wire/fault.ts'
import { parsePath, type TreePath } from '#wire/paths.ts'
import { permissionsOf } from '#wire/permissions.ts'
import type { Sessions } from '../credentials/sessions.ts'
import type { ImportedUser } from './import-export.ts'
import { normalizeUser } from './user-checks.ts'

export interface ImportOptions {
  /** Replace existing users with the same id. */
  overwrite: boolean
  /** Delete all users first. */
  replace: boolean
}

interface ImportDeps {
  rows: UserRows
  sessions: Sessions
  /** Values for missing fields; its rights are not used. */
  blank: UserDefaults
  /** Called when the home folder of a user changes. */
  homeChanged(userId: number, from: TreePath, to: TreePath): Promise<void>
}

/**
 * Imports users. Those without an id, or with a free one, are added; ids are kept if they are free.
 *
 * @param run `dryRun` tries the import and rolls it back
 * @returns the problems, each naming the user; nothing was changed if there are any
 */
export async function importUsers(
  deps: ImportDeps,
  users: readonly ImportedUser[],
  options: ImportOptions,
  run: { dryRun: boolean },
): Promise<string[]> {
  const { rows } = deps
  let problems: string[] = []
  try {
    await rows.atomically(async () => {
      problems = []
      if (options.replace) for (const { id } of await rows.list()) await rows.remove(id)
      for (const user of users) {
        const problem = await importOne(deps, user, options.overwrite)
        if (problem !== undefined) problems.push(`${user.location ?? user.username}: ${problem}`)
      }
      const hasAdministrator = (await rows.list()).some(({ perm }) => perm.admin)
      if (problems.length === 0 && !hasAdministrator) {
        problems.push('There would be no administrator. Nothing was changed.')
      }
      if (problems.length > 0 || run.dryRun) throw ROLLED_BACK
    })
  } catch (error) {
    if (error !== ROLLED_BACK) throw error
  }
  return problems
}

/** Thrown to roll the transaction back. */
const ROLLED_BACK = Symbol('rolled back')

/** @returns the problem; undefined if the user was imported */
async function importOne(
  { rows, sessions, blank, homeChanged }: ImportDeps,
  { id, username, passwordHash, changes }: ImportedUser,
  overwrite: boolean,
): Promise<string | undefined> {
  const known = id > 0 ? await rows.find(id) : undefined
  if (known && !overwrite) {
    return `User ${id} (${known.username}) already exists; --overwrite replaces them. Nothing was changed.`
  }
  const rights = { perm: permissionsOf(), commands: [], lockPassword: false, rules: [] }
  try {
    const user = normalizeUser({ ...blank, ...rights, ...changes, username, passwordHash })
    if (!known) await rows.setHomeDue((await rows.insert(user, id > 0 ? id : undefined)).id)
    else {
      const [from, to] = [parsePath(known.scope), parsePath(user.scope)]
      if (from !== to) await homeChanged(known.id, from, to)
      if (from !== to) await rows.setHomeDue(known.id)
      await rows.update({ ...known, ...user })
      await sessions.endAll(known.id)
    }
    return undefined
  } catch (error) {
    if (error instanceof Fault) return error.message
    throw error
  }
}
