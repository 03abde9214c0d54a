/** No text of the record is longer than this, whoever sent it. */
import type { NewAct } from '#server/db/audit.ts'
import { LIMITS } from '#wire/limits.ts'

/** The longest path that Linux opens; for strangers, who may name what is not there, much less. */
const PATH_MAX = 4096
const STRANGERS_PATH_MAX = 256
/** Of addresses, and of names that the server gives. */
const NAME_MAX = 64
/** What a row takes beside its texts: numbers and indexes. */
const ROW_BYTES = 100

/** The act with texts that are not too long; what is cut ends with an ellipsis. */
export function truncate(act: NewAct): NewAct {
  const pathMax = act.session === '' ? STRANGERS_PATH_MAX : PATH_MAX
  return {
    ...act,
    username: short(act.username, LIMITS.usernameMax),
    whom: short(act.whom, LIMITS.usernameMax),
    session: short(act.session, NAME_MAX),
    address: short(act.address, NAME_MAX),
    share: short(act.share, NAME_MAX),
    path: short(act.path, pathMax),
    to: short(act.to, pathMax),
  }
}

/** How many bytes the database needs for an act, roughly. */
export function sizeOf({
  username,
  whom,
  session,
  address,
  share,
  path,
  to,
  action,
}: NewAct): number {
  const texts = [username, whom, session, address, share, path, to, action]
  return texts.reduce((bytes, text) => bytes + Buffer.byteLength(text), ROW_BYTES)
}

function short(text: string, max: number): string {
  return text.length <= max ? text : `${text.slice(0, max - 1)}…`
}
