import { Link } from 'wouter'
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
        {result.value.map(({ id, action, username, share, time }) => (
          <FactRow
            key={id}
            icon={AUDIT_ACTION_ICONS[action]}
            title={
              <span>
                {t(`activity.acts.${action}`)}{' '}
                <small>
                  <bdi>
                    {username || t(share === '' ? 'activity.unknownUser' : 'activity.visitor')}
                  </bdi>
                </small>
              </span>
            }
            facts={
              <time dateTime={time} title={formatFullDate(time)}>
                {formatDate(time)}
              </time>
            }
          />
        ))}
      </FactList>
      <Link className="FileActivity__all" href={href}>
        {t('details.activity.all')}
      </Link>
    </>
  )
}
