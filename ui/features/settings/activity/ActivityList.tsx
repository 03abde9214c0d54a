import { useSnapshot } from 'valtio'
import { session } from '#ui/state/session/session.ts'
import type { AuditEntry } from '#wire/api/audit.ts'
import { ActivityRow } from './ActivityRow.tsx'
import './ActivityList.css'
import { permits } from '#wire/permissions.ts'

interface ActivityListProps {
  label: string
  records: readonly AuditEntry[]
}

/** Audit records, newest first. Administrators see the user names. */
export function ActivityList({ label, records }: ActivityListProps) {
  const { user } = useSnapshot(session)
  return (
    <ul className="ActivityList" aria-label={label}>
      {records.map((record) => (
        <ActivityRow
          key={record.id}
          record={record}
          showsName={user !== null && permits(user.perm, 'administer')}
          hasExactDate={user?.dateFormat ?? false}
        />
      ))}
    </ul>
  )
}
