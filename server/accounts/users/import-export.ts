/**
 * Exports and imports users as a document in File Browser's format (docs/api.md 9.5): an array of users with password
 * hashes.
 */
import { type DocumentTree, isTree } from '#server/config/document.ts'
import type { StoredUser } from '#server/db/rows/users.ts'
import {
  type ImportReport,
  importPermissions,
  importRules,
} from '#server/lib/filebrowser-rights.ts'
import { fieldsOf, invertNameOrder } from '#server/settings/filebrowser-format.ts'
import { preferencesOf } from '#wire/api/user.ts'
import { Fault } from '#wire/fault.ts'
import { isLanguage } from '#wire/languages.ts'
import { permissionsOf } from '#wire/permissions.ts'
import { sentenceOfIssue } from '#wire/shapes/shape-sentences.ts'
import { userShape } from '#wire/shapes/shapes.ts'
import { isHash } from '../credentials/passwords.ts'
import type { UserChanges } from './user-changes.ts'

/** A user in a document. */
export interface ImportedUser {
  /** 0 if the document has no id. */
  id: number
  username: string
  passwordHash: string
  /** How messages name the user. */
  location?: string
  changes: UserChanges
}

export interface ImportedUsers extends ImportReport {
  users: ImportedUser[]
}

export function exportUsers(users: readonly StoredUser[]): DocumentTree[] {
  return users.map((user) => ({
    id: user.id,
    username: user.username,
    password: user.passwordHash,
    scope: user.scope,
    lockPassword: user.lockPassword,
    perm: user.perm,
    commands: user.commands,
    rules: user.rules,
    ...preferencesOf(user),
    sorting: invertNameOrder(user.sorting),
  }))
}

/**
 * Parses the whole document and reports every problem, before anything is changed.
 *
 * @throws Fault badRequest for a file of another kind
 */
export function readUsers(document: unknown): ImportedUsers {
  if (!Array.isArray(document)) {
    throw new Fault(
      'badRequest',
      'The file must contain a list of users, as `users export` writes it.',
    )
  }
  const read: ImportedUsers = { users: [], notices: [], problems: [] }
  for (const [index, item] of document.entries()) {
    const user = readUser(item, index + 1, read)
    if (user) read.users.push(user)
  }
  return read
}

function readUser(item: unknown, number: number, report: ImportReport): ImportedUser | undefined {
  const tree = isTree(item) ? fieldsOf(item, Object.keys(userShape.shape)) : {}
  // Older records of File Browser have an empty view mode or sort order.
  if (tree.viewMode === '') delete tree.viewMode
  const location = locationOf(number, tree.username)
  const parsed = userShape.safeParse(tree)
  if (!parsed.success) {
    for (const issue of parsed.error.issues) {
      report.problems.push(`${location}: ${sentenceOfIssue(issue)}`)
    }
    return undefined
  }
  const unknown = Object.keys(isTree(item) ? item : {}).filter((name) => !isField(name))
  if (unknown.length > 0) report.notices.push(`${location}: ${unknown.join(', ')} is left out.`)
  const { id = 0, username = '', password = '', sorting, perm, rules, ...rest } = parsed.data
  if (!isHash(password)) {
    report.problems.push(`${location}: The password is not a hash. \`filemgr hash\` makes one.`)
    return undefined
  }
  if (rest.locale !== undefined && !isLanguage(rest.locale)) {
    report.notices.push(
      `${location}: there is no language "${rest.locale}"; they get the default one.`,
    )
    delete rest.locale
  }
  const order = sorting ? { sorting: invertNameOrder(sorting) } : {}
  // Missing fields are undefined in the shape, and absent in the change.
  const present = Object.fromEntries(
    Object.entries(rest).filter(([, value]) => value !== undefined),
  )
  const changes = {
    ...present,
    ...order,
    // Older records lack the rights that they do not grant.
    perm: importPermissions(location, perm ?? permissionsOf(), report),
    rules: importRules(location, rules ?? [], report),
  }
  return { id, username, passwordHash: password, location, changes }
}

function isField(name: string): boolean {
  return Object.keys(userShape.shape).some((field) => field.toLowerCase() === name.toLowerCase())
}

/** `entry 3 (ana)`, by the position in the document, because ids differ. */
function locationOf(number: number, username: unknown): string {
  return typeof username === 'string' ? `entry ${number} (${username})` : `entry ${number}`
}
