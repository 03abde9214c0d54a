/** Makes audit records of handled requests. */
import { networkPrefix } from '#server/access/network.ts'
import type { AuditAction } from '#wire/audit.ts'
import { Fault } from '#wire/fault.ts'
import { joinPath, parsePath, parseUrlPath } from '#wire/paths.ts'
import type { AnyCall, AuditNote, DescribeAudit } from './context.ts'

/** @returns a function that notes the path after a prefix */
export function auditNoteFor(action: AuditAction, prefix: string): DescribeAudit {
  return (call) => ({ action, path: pathIn(call, prefix) })
}

/** @returns whether a request for a file shows it or downloads it */
export function readAction(call: AnyCall): AuditAction {
  return call.req.query('inline') === 'true' ? 'open' : 'download'
}

/** Records the request if its route asks for it. */
export function recordCallAudit(call: AnyCall): void {
  const auditNote = call.var.auditNote ?? call.var.route?.audit?.(call)
  if (!auditNote || isNotHandledYet(call.res)) return
  const range = call.res.headers.get('content-range')
  const isLaterPart = range !== null && !range.startsWith('bytes 0-')
  recordAudit(call, { bytes: lengthIn(call), ...auditNote }, call.res.status, isLaterPart)
}

/**
 * Records one action of a request.
 *
 * @param isLaterPart whether the request reads a later part of a file
 */
export function recordAudit(
  call: AnyCall,
  auditNote: AuditNote,
  status: number,
  isLaterPart = false,
): void {
  const { app, address } = call.var
  const user = call.var.auth?.user
  const username = auditNote.username ?? ''
  const inTree = (path: string | undefined) => {
    if (path === undefined || path === '') return ''
    return user ? joinPath(parsePath(user.scope), path) : path
  }
  const act = {
    atMs: Date.now(),
    // A failed login belongs to the account that it names, so that its owner sees it.
    userId: user?.id ?? app.users.findByName(username)?.id ?? 0,
    username: user?.username ?? username,
    session: call.var.auth?.session.id ?? '',
    address,
    action: auditNote.action,
    path: inTree(auditNote.path),
    to: inTree(auditNote.to),
    whom: auditNote.whom ?? '',
    bytes: auditNote.bytes ?? 0,
    status,
    share: auditNote.share ?? '',
    times: 1,
    entry: status < 400 ? (auditNote.entry ?? onlyEntryOf(call)) : 0,
  }
  app.audit.record(act, { piece: isLaterPart, from: networkPrefix(address) })
}

/** @returns the journal entry if the request has exactly one, otherwise 0 */
function onlyEntryOf(call: AnyCall): number {
  const [entry = 0, ...others] = call.var.scope?.entries ?? []
  return others.length === 0 ? entry : 0
}

/** Whether no file was sent: 304, or a redirect to the address that handles the request. */
function isNotHandledYet({ status }: Response): boolean {
  return status === 304 || status === 302
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
