import { Link } from 'wouter'
import { actText, isPassing, refusalText } from '#ui/i18n/activity-text.ts'
import { formatDate, formatFullDate } from '#ui/i18n/format.ts'
import { useTranslation } from '#ui/i18n/i18n.ts'
import { AUDIT_ACTION_ICONS } from '#ui/lib/accounts/audit-action-icons.ts'
import type { AuditEntry } from '#wire/api/audit.ts'
import { useAsync } from '../hooks/use-async.ts'
import { FactList, FactNote, FactRow } from './FactList.tsx'
import './FileActivity.css'

export interface FileActivityProps {
  /** Identifies the entry: a change causes a new request. */
  subject: string
  load(signal: AbortSignal): Promise<readonly AuditEntry[]>
  /** The URL of the page with all audit records. */
  href: string
}

/** The last audit records of an entry. */
export function FileActivity({ subject, load, href }: FileActivityProps) {
  const { t } = useTranslation()
  const result = useAsync(subject, load)
  if (result.status === 'loading') return null
  if (result.status === 'failed') {
    return <FactNote role="alert">{t('details.activity.unread')}</FactNote>
  }
  if (result.value.length === 0) return <FactNote>{t('details.activity.none')}</FactNote>
  return (
    <>
      <FactList>
        {result.value.map((record) => (
          <ActivityFact key={record.id} record={record} />
        ))}
      </FactList>
      <Link className="FileActivity__all" href={href}>
        {t('details.activity.all')}
      </Link>
    </>
  )
}

/** One audit record; a refused action has a reason. */
function ActivityFact({ record }: { record: AuditEntry }) {
  const { t } = useTranslation()
  const { action, username, share, time } = record
  const refusal = refusalText(record)
  return (
    <FactRow
      icon={AUDIT_ACTION_ICONS[action]}
      isRefused={refusal !== undefined && !isPassing(record)}
      title={
        <span>
          {actText(record)}{' '}
          <small>
            <bdi>{username || t(share === '' ? 'activity.unknownUser' : 'activity.visitor')}</bdi>
          </small>
          {refusal && <span className="FileActivity__refusal">{refusal}</span>}
        </span>
      }
      facts={
        <time dateTime={time} title={formatFullDate(time)}>
          {formatDate(time)}
        </time>
      }
    />
  )
}
