/** From a request that was answered to a line in the record. */
import { networkOf } from '#server/access/network.ts'
import type { AuditAction } from '#wire/audit.ts'
import { Fault } from '#wire/fault.ts'
import { joinPath, parsePath, parseUrlPath } from '#wire/paths.ts'
import type { AnyCall, AuditNote, DescribeAudit } from './context.ts'

/** A row's note about the path after a prefix. */
export function auditNoteFor(action: AuditAction, prefix: string): DescribeAudit {
  return (call) => ({ action, path: pathIn(call, prefix) })
}

/** Puts the request into the record, if its row says so. */
export function recordCall(call: AnyCall): void {
  const auditNote = call.var.auditNote ?? call.var.route?.audit?.(call)
  if (!auditNote || isNothingYet(call.res)) return
  const range = call.res.headers.get('content-range')
  const piece = range !== null && !range.startsWith('bytes 0-')
  recordAct(call, { bytes: lengthIn(call), ...auditNote }, call.res.status, piece)
}

/** Puts one act of a request into the record. @param piece it read a part of something, not its beginning */
export function recordAct(
  call: AnyCall,
  auditNote: AuditNote,
  status: number,
  piece = false,
): void {
  const { app, address } = call.var
  const user = call.var.auth?.user
  const named = auditNote.username ?? ''
  const inTree = (path: string | undefined) => {
    if (path === undefined || path === '') return ''
    return user ? joinPath(parsePath(user.scope), path) : path
  }
  const act = {
    atMs: Date.now(),
    // A try to be let in is of the account it names: whose it is sees it.
    userId: user?.id ?? app.users.findByName(named)?.id ?? 0,
    username: user?.username ?? named,
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
  app.audit.record(act, { piece, from: networkOf(address) })
}

/** A request that made several entries is no one change. */
function onlyEntryOf(call: AnyCall): number {
  const [entry = 0, ...others] = call.var.scope?.entries ?? []
  return others.length === 0 ? entry : 0
}

/** Known already, or sent on to where it is answered. */
function isNothingYet({ status }: Response): boolean {
  return status === 304 || status === 302
}

/** The decoded path after a prefix; what does not decode is kept as it was sent. */
export function pathIn(call: AnyCall, prefix: string): string {
  const sent = call.var.path.slice(prefix.length)
  try {
    return parseUrlPath(sent).path
  } catch (error) {
    if (error instanceof Fault) return sent
    throw error
  }
}

function lengthIn({ req, res }: AnyCall): number {
  const length =
    req.method === 'GET' ? res.headers.get('content-length') : req.header('content-length')
  return Number(length ?? 0) || 0
}
