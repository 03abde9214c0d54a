import { useId } from 'react'
import { useSnapshot } from 'valtio'
import { formatDay } from '#ui/i18n/day-format.ts'
import { session } from '#ui/state/session/session.ts'
import type { ListedAuditEntry } from '#wire/api/audit.ts'
import { permits } from '#wire/permissions.ts'
import { ActivityRow } from './ActivityRow.tsx'
import './ActivityList.css'

/** Audit records, newest first, below the names of their days. Administrators see the user names. */
export function ActivityList({ records }: { records: readonly ListedAuditEntry[] }) {
  const { user } = useSnapshot(session)
  const id = useId()
  return (
    <div className="ActivityList">
      {daysOf(records).map(({ day, entries }) => (
        <section key={entries[0]?.id} className="ActivityList__day">
          <h4 id={`${id}${entries[0]?.id}`} className="ActivityList__title">
            {day}
          </h4>
          <ul aria-labelledby={`${id}${entries[0]?.id}`}>
            {entries.map((record) => (
              <ActivityRow
                key={record.id}
                record={record}
                showsName={user !== null && permits(user.perm, 'administer')}
                hasExactDate={user?.dateFormat ?? false}
              />
            ))}
          </ul>
        </section>
      ))}
    </div>
  )
}

function daysOf(
  records: readonly ListedAuditEntry[],
): { day: string; entries: ListedAuditEntry[] }[] {
  const days: { day: string; entries: ListedAuditEntry[] }[] = []
  for (const record of records) {
    const day = formatDay(record.time)
    const last = days.at(-1)
    if (last?.day === day) last.entries.push(record)
    else days.push({ day, entries: [record] })
  }
  return days
}
