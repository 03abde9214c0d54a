import { useSnapshot } from 'valtio'
import { session } from '#ui/state/session.ts'
import type { AuditEntry } from '#wire/audit.ts'
import { ActRow } from './ActRow.tsx'
import './ActList.css'

interface ActListProps {
  label: string
  acts: readonly AuditEntry[]
}

/** Audit records, newest first. Administrators see the user names. */
export function ActList({ label, acts }: ActListProps) {
  const { user } = useSnapshot(session)
  return (
    <ul className="ActList" aria-label={label}>
      {acts.map((act) => (
        <ActRow
          key={act.id}
          act={act}
          withName={user?.perm.admin ?? false}
          exact={user?.dateFormat ?? false}
        />
      ))}
    </ul>
  )
}
