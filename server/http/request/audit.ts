/** Makes audit records of handled requests. */

import { may, mayManage } from '#server/access/policy.ts'
import type { Scope } from '#server/access/scope/scope.ts'
import { networkPrefix } from '#server/lib/network.ts'
import type { AuditAction } from '#wire/api/audit.ts'
import { FAULT_HEADER } from '#wire/api/session.ts'
import { Fault } from '#wire/fault.ts'
import {
  isInside,
  joinPath,
  parsePath,
  parseUrlPath,
  ROOT,
  relativePath,
  type TreePath,
} from '#wire/paths.ts'
import type { AnyCall, AuditNote, DescribeAudit, FoundPath } from '../context/context.ts'
import { isLaterPart } from '../response/ranges.ts'

/** @returns a function that notes the path after a prefix */
export function auditNoteFor(action: AuditAction, prefix: string): DescribeAudit {
  return (call) => ({ action, path: pathIn(call, prefix) })
}

/** @returns whether a request for a file shows it or downloads it */
export function readAction(call: AnyCall): AuditAction {
  return call.req.query('inline') === 'true' ? 'open' : 'download'
}

/** How a request reads a file. */
interface ReadInfo {
  /** The request is for a part of the file that does not begin at its first byte. */
  isLaterPart?: boolean
  /** The response has no bytes: the client has the file already, or asks only for the headers. */
  hasNoBytes?: boolean
}

/** Records the request if its route asks for it. */
export async function recordCallAudit(call: AnyCall): Promise<void> {
  const auditNote = call.var.auditNote ?? (await call.var.route?.audit?.(call))
  if (!auditNote || hasReadNothing(call, auditNote)) return
  const { status, headers } = call.res
  const fault = (status >= 400 && headers.get(FAULT_HEADER)) || ''
  await recordAudit(call, { bytes: lengthIn(call), fault, ...auditNote }, status, readInfoOf(call))
}

function readInfoOf({ req, res }: AnyCall): ReadInfo {
  const isCached = res.status === NOT_MODIFIED
  // A response with several ranges has no header that names them.
  const range =
    res.headers.get('content-range') ??
    (isCached || res.status === PARTIAL ? req.header('range') : undefined)
  return {
    isLaterPart: isLaterPart(range),
    hasNoBytes: isCached || req.method === 'HEAD',
  }
}

/**
 * Records one action of a request.
 *
 * @param info how the request reads a file
 */
export async function recordAudit(
  call: AnyCall,
  auditNote: AuditNote,
  status: number,
  info: ReadInfo = {},
): Promise<void> {
  const { app, address } = call.var
  const user = call.var.auth?.user
  const username = auditNote.username ?? ''
  const inTree = (path: string | undefined, inside = ROOT) => {
    if (path === undefined || path === '') return ''
    return pathInTree(user?.scope ?? ROOT, path, inside)
  }
  const visible = visibleFacts(call, auditNote)
  const act = {
    atMs: Date.now(),
    // A failed login belongs to the account that it names, so that its owner sees it.
    userId: user?.id ?? (await app.users.findByName(username))?.id ?? 0,
    username: user?.username ?? username,
    session: call.var.auth?.session.id ?? '',
    address,
    action: auditNote.action,
    path: visible.path ?? inTree(auditNote.path, auditNote.inside),
    to: inTree(auditNote.to),
    whom: visible.whom,
    bytes: auditNote.bytes ?? 0,
    status,
    share: auditNote.share ?? '',
    times: auditNote.times ?? 1,
    entry: status < 400 ? (auditNote.entry ?? onlyEntryOf(call)) : 0,
    fault: auditNote.fault ?? '',
  }
  const isOfShare =
    status >= 400 && act.share !== '' && (await app.shares.find(act.share)) !== undefined
  app.audit.record(act, { ...info, from: networkPrefix(address), isOfShare })
}

/**
 * The rule for everything that a handler looks up: users read their own records, also those of refused requests, so a
 * record contains only what its user may see. Administrators see everything, visitors nothing.
 *
 * @returns the path that was looked up, if any, and the name of the changed account; empty if the user may not see it
 */
function visibleFacts(
  { var: { auth, scope } }: AnyCall,
  { found, whom }: Pick<AuditNote, 'found' | 'whom'>,
): { path: string | undefined; whom: string } {
  if (!auth || !scope) return { path: found && '', whom: '' }
  const { user } = auth
  const isSeen = ({ path, ownerId = user.id }: FoundPath) =>
    mayManage(user, ownerId) && (may(user, 'administer') || isInScope(scope, path))
  return {
    path: found && (isSeen(found) ? found.path : ''),
    whom: whom && mayManage(user, whom.id) ? whom.username : '',
  }
}

/** Whether the path in the served tree is inside the scope, and its rules allow the actor to see it. */
function isInScope({ actor, trash }: Scope, path: TreePath): boolean {
  return isInside(path, actor.scope) && trash?.isVisible(relativePath(path, actor.scope)) === true
}

/**
 * @param inside a path in the archive at `path`
 * @returns the path in the served tree; the raw text if it is not a valid path, as in a refused request
 */
function pathInTree(scope: string, path: string, inside: TreePath): string {
  try {
    return joinPath(joinPath(parsePath(scope), path), inside)
  } catch (error) {
    if (error instanceof Fault) return path
    throw error
  }
}

/** @returns the journal entry if the request has exactly one, otherwise 0 */
function onlyEntryOf(call: AnyCall): number {
  const [entry = 0, ...others] = call.var.scope?.entries ?? []
  return others.length === 0 ? entry : 0
}

const PARTIAL = 206
const NOT_MODIFIED = 304

/**
 * Whether no file was read: the response is a redirect to the content origin, or 304, or has only the headers of a
 * download. If the user opens the file, both count as a read, because the browser shows the file from its cache.
 */
function hasReadNothing({ req, res: { status } }: AnyCall, { action }: AuditNote): boolean {
  const isHeadOfDownload = action === 'download' && req.method === 'HEAD' && status < 400
  return status === 302 || (status === NOT_MODIFIED && action !== 'open') || isHeadOfDownload
}

/** @returns the decoded path after a prefix; the raw text if it does not decode */
export function pathIn(call: AnyCall, prefix: string): string {
  const sent = call.var.path.slice(prefix.length)
  try {
    return parseUrlPath(sent).path
  } catch (error) {
    if (error instanceof Fault) return sent
    throw error
  }
}

/** The bytes that were sent or received, by the header. */
function lengthIn({ req, res }: AnyCall): number {
  const length =
    req.method === 'GET' ? res.headers.get('content-length') : req.header('content-length')
  return Number(length ?? 0) || 0
}
