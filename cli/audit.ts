/** Records what the operator changes on the command line. */
import { hostname } from 'node:os'
import type { AuditAction } from '#wire/api/audit.ts'
import type { OpenedCore } from './core.ts'
import { ownAccountName } from './system-accounts.ts'

/** The users that were changed, or the share that was removed; none for settings. */
interface Changed {
  users?: readonly string[]
  share?: string
}

/** Adds records to the audit log, in the name of the system account and host, such as `root@nas`. */
export async function recordChange(
  { rows, config }: OpenedCore,
  action: AuditAction,
  { users = [''], share = '' }: Changed = {},
): Promise<void> {
  if (config.number('auditEntries') === 0) return
  const username = `${ownAccountName()}@${hostname()}`
  const common = { atMs: Date.now(), userId: 0, username, session: '', address: '', action, share }
  await rows.audit.insert(
    users.map((whom) => ({
      ...common,
      whom,
      path: '',
      to: '',
      bytes: 0,
      status: 200,
      times: 1,
      entry: 0,
      fault: '',
    })),
  )
}
