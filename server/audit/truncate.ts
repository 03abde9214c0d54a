/** Truncates the texts of audit records. */
import type { NewAuditRecord } from '#server/db/rows/audit.ts'
import { SERVER_LIMITS } from '#server/lib/server-limits.ts'

/**
 * In characters. The limit for paths is the number of PATH_MAX of Linux; it is much less for visitors, who can name
 * files that do not exist.
 */
const PATH_MAX = 4096
const VISITOR_PATH_MAX = 256
/** For addresses and generated ids. */
const NAME_MAX = 64
/** A fault has a code and few parameters, which are names and numbers. */
const FAULT_MAX = 256
/** Size of a row's numbers and index entries. */
const ROW_BYTES = 100

/** @returns the record with texts cut to their limits; a cut text ends with an ellipsis */
export function truncate(record: NewAuditRecord): NewAuditRecord {
  const pathMax = record.session === '' ? VISITOR_PATH_MAX : PATH_MAX
  return {
    ...record,
    username: cut(record.username, SERVER_LIMITS.usernameMax),
    whom: cut(record.whom, SERVER_LIMITS.usernameMax),
    session: cut(record.session, NAME_MAX),
    address: cut(record.address, NAME_MAX),
    share: cut(record.share, NAME_MAX),
    path: cut(record.path, pathMax),
    to: cut(record.to, pathMax),
    fault: cut(record.fault, FAULT_MAX),
  }
}

/** The approximate size of a record in the database. */
export function rowSizeOf({
  username,
  whom,
  session,
  address,
  share,
  path,
  to,
  action,
  fault,
}: NewAuditRecord): number {
  const texts = [username, whom, session, address, share, path, to, action, fault]
  return texts.reduce((bytes, text) => bytes + Buffer.byteLength(text), ROW_BYTES)
}

function cut(text: string, max: number): string {
  return text.length <= max ? text : `${text.slice(0, max - 1)}…`
}
