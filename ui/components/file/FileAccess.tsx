import { useTranslation } from '#ui/i18n/i18n.ts'
import type { AccessRows } from '#ui/lib/accounts/access-row.ts'
import { Button } from '../controls/Button.tsx'
import { useAsync } from '../hooks/use-async.ts'
import { FactList, FactNote, FactRow } from './FactList.tsx'

export interface FileAccessProps {
  /** Identifies the entry: a change causes a new request. */
  subject: string
  load(signal: AbortSignal): Promise<AccessRows>
  /** Shows what users may do with the entry, and why. */
  onExplain?: (() => void) | undefined
}

/** The shares and the users with access to an entry. */
export function FileAccess({ subject, load, onExplain }: FileAccessProps) {
  const { t } = useTranslation()
  const result = useAsync(subject, load)
  if (result.status === 'loading') return null
  if (result.status === 'failed') {
    return <FactNote role="alert">{t('details.access.unread')}</FactNote>
  }
  const { shares, users, isPartial } = result.value
  return (
    <>
      {shares.length === 0 && <FactNote>{t('details.access.noLinks')}</FactNote>}
      {shares.length + users.length > 0 && (
        <FactList>
          {[...shares, ...users].map(({ key, icon, title, facts, hint }) => (
            <FactRow
              key={key}
              icon={icon}
              title={<bdi>{title}</bdi>}
              facts={<span title={hint}>{facts}</span>}
            />
          ))}
        </FactList>
      )}
      {isPartial && <FactNote>{t('details.access.more')}</FactNote>}
      {onExplain && (
        <Button wide onClick={onExplain}>
          {t('settings.why.open')}
        </Button>
      )}
    </>
  )
}
