import { Link } from 'wouter'
import { formatDate, formatFullDate } from '#ui/i18n/format.ts'
import { useTranslation } from '#ui/i18n/i18n.ts'
import { ACT_ICONS } from '#ui/lib/act-icons.ts'
import type { AuditEntry } from '#wire/audit.ts'
import { Icon } from './Icon.tsx'
import { useAsync } from './use-async.ts'
import './FileActivity.css'

export interface FileActivityProps {
  /** Identifies the entry: a change causes a new request. */
  subject: string
  ask(signal: AbortSignal): Promise<readonly AuditEntry[]>
  /** The address of the page with all audit records. */
  href: string
}

/** The last audit records of an entry. */
export function FileActivity({ subject, ask, href }: FileActivityProps) {
  const { t } = useTranslation()
  const answer = useAsync(subject, ask)
  if (answer.status === 'loading') return null
  if (answer.status === 'failed') {
    return (
      <p className="FileActivity__note" role="alert">
        {t('details.activity.unread')}
      </p>
    )
  }
  if (answer.value.length === 0) {
    return <p className="FileActivity__note">{t('details.activity.none')}</p>
  }
  return (
    <>
      <ul className="FileActivity">
        {answer.value.map((act) => (
          <li key={act.id} className="FileActivity__row">
            <Icon name={ACT_ICONS[act.action]} />
            <span className="FileActivity__words">
              <span>
                {t(`activity.acts.${act.action}`)}{' '}
                <bdi className="FileActivity__facts">{act.username || t('activity.stranger')}</bdi>
              </span>
              <time
                className="FileActivity__facts"
                dateTime={act.time}
                title={formatFullDate(act.time)}
              >
                {formatDate(act.time)}
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
