import '#ui/i18n/settings-messages.ts'
import { Link } from 'wouter'
import { formatDate, formatFullDate } from '#ui/i18n/format.ts'
import { useTranslation } from '#ui/i18n/i18n.ts'
import { AUDIT_ACTION_ICONS } from '#ui/lib/accounts/audit-action-icons.ts'
import type { AuditEntry } from '#wire/api/audit.ts'
import { useAsync } from '../hooks/use-async.ts'
import { Icon } from '../icons/Icon.tsx'
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
    return (
      <p className="FileActivity__note" role="alert">
        {t('details.activity.unread')}
      </p>
    )
  }
  if (result.value.length === 0) {
    return <p className="FileActivity__note">{t('details.activity.none')}</p>
  }
  return (
    <>
      <ul className="FileActivity">
        {result.value.map((record) => (
          <li key={record.id} className="FileActivity__row">
            <Icon name={AUDIT_ACTION_ICONS[record.action]} />
            <span className="FileActivity__text">
              <span>
                {t(`activity.acts.${record.action}`)}{' '}
                <bdi className="FileActivity__facts">
                  {record.username ||
                    t(record.share === '' ? 'activity.unknownUser' : 'activity.visitor')}
                </bdi>
              </span>
              <time
                className="FileActivity__facts"
                dateTime={record.time}
                title={formatFullDate(record.time)}
              >
                {formatDate(record.time)}
              </time>
            </span>
          </li>
        ))}
      </ul>
      <Link className="FileActivity__all" href={href}>
        {t('details.activity.all')}
      </Link>
    </>
  )
}
