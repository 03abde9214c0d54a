import { useTranslation } from '#ui/i18n/i18n.ts'
import type { AccessRow, AccessRows } from '#ui/lib/accounts/access-row.ts'
import { useAsync } from '../hooks/use-async.ts'
import { Icon } from '../icons/Icon.tsx'
import './FileAccess.css'

export interface FileAccessProps {
  /** Identifies the entry: a change causes a new request. */
  subject: string
  load(signal: AbortSignal): Promise<AccessRows>
}

/** The shares and the users with access to an entry. */
export function FileAccess({ subject, load }: FileAccessProps) {
  const { t } = useTranslation()
  const result = useAsync(subject, load)
  if (result.status === 'loading') return null
  if (result.status === 'failed') {
    return (
      <p className="FileAccess__note" role="alert">
        {t('details.access.unread')}
      </p>
    )
  }
  const { shares, users, isPartial } = result.value
  return (
    <>
      {shares.length === 0 && <p className="FileAccess__note">{t('details.access.noLinks')}</p>}
      {shares.length + users.length > 0 && (
        <ul className="FileAccess">
          {[...shares, ...users].map((row) => (
            <Row key={row.key} row={row} />
          ))}
        </ul>
      )}
      {isPartial && <p className="FileAccess__note">{t('details.access.more')}</p>}
    </>
  )
}

function Row({ row: { icon, title, facts, hint } }: { row: AccessRow }) {
  return (
    <li className="FileAccess__row">
      <Icon name={icon} />
      <span className="FileAccess__text">
        <bdi>{title}</bdi>
        <span className="FileAccess__facts" title={hint}>
          {facts}
        </span>
      </span>
    </li>
  )
}
