/** Taking over people from a document, all or none (docs/api.md 9.5). */
import type { UserRows } from '#server/db/users.ts'
import { Fault } from '#wire/fault.ts'
import { parsePath, type TreePath } from '#wire/paths.ts'
import { permissionsOf } from '#wire/permissions.ts'
import type { UserDefaults } from '#wire/settings.ts'
import type { ImportedUser } from './import-export.ts'
import type { Sessions } from './sessions.ts'
import { normal } from './user-checks.ts'

export interface ImportOptions {
  /** Replace those who are there by number. */
  overwrite: boolean
  /** Remove everybody first. */
  replace: boolean
}

interface Tables {
  rows: UserRows
  sessions: Sessions
  /** What a document leaves out. Rights are never among it. */
  blank: UserDefaults
  /** Called when somebody's folder becomes another one. */
  homeChanged(userId: number, from: TreePath, to: TreePath): void
}

/**
 * Who has no number, or one nobody has, is added; numbers are kept where they are free.
 *
 * @param keep otherwise everything is tried, and taken back
 * @returns what stands against it, naming each person; nothing was changed then
 */
export function importUsers(
  tables: Tables,
  users: readonly ImportedUser[],
  options: ImportOptions,
  keep: boolean,
): string[] {
  const { rows } = tables
  const problems: string[] = []
  try {
    rows.atomically(() => {
      if (options.replace) for (const { id } of rows.list()) rows.remove(id)
      for (const user of users) {
        const problem = importOne(tables, user, options.overwrite)
        if (problem !== undefined) problems.push(`${user.location ?? user.username}: ${problem}`)
      }
      const hasAdministrator = rows.list().some(({ perm }) => perm.admin)
      if (problems.length === 0 && !hasAdministrator) {
        problems.push('Nobody would be an administrator; nothing was changed.')
      }
      if (problems.length > 0 || !keep) throw TAKEN_BACK
    })
  } catch (error) {
    if (error !== TAKEN_BACK) throw error
  }
  return problems
}

/** Ends a transaction that is to leave nothing. */
const TAKEN_BACK = Symbol('taken back')

/** @returns why not, if they are not taken */
function importOne(
  { rows, sessions, blank, homeChanged }: Tables,
  { id, username, passwordHash, changes }: ImportedUser,
  overwrite: boolean,
): string | undefined {
  const known = id > 0 ? rows.find(id) : undefined
  if (known && !overwrite) {
    return `User ${id} (${known.username}) is there already; --overwrite replaces them. Nothing was changed.`
  }
  const rights = { perm: permissionsOf(), commands: [], lockPassword: false, rules: [] }
  try {
    const user = normal({ ...blank, ...rights, ...changes, username, passwordHash })
    if (!known) rows.setHomeDue(rows.insert(user, id > 0 ? id : undefined).id)
    else {
      const [from, to] = [parsePath(known.scope), parsePath(user.scope)]
      if (from !== to) homeChanged(known.id, from, to)
      if (from !== to) rows.setHomeDue(known.id)
      rows.update({ ...known, ...user })
      sessions.endAll(known.id)
    }
    return undefined
  } catch (error) {
    if (error instanceof Fault) return error.message
    throw error
  }
}
