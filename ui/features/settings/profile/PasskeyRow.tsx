import { useSnapshot } from 'valtio'
import { IconButton } from '#ui/components/controls/IconButton.tsx'
import { formatDate, formatFullDate } from '#ui/i18n/format.ts'
import { useTranslation } from '#ui/i18n/i18n.ts'
import { session } from '#ui/state/session/session.ts'
import type { Passkey } from '#wire/api/passkeys.ts'
import { AccessRow } from '../rows/AccessRow.tsx'

interface PasskeyRowProps {
  passkey: Passkey
  /** Whether it belongs to another address than that of the server now. */
  isElsewhere: boolean
  onRename(): void
  onRemove(): void
}

/** One passkey of the list: its name, whether it is on more than one device, and when it was last used. */
export function PasskeyRow({ passkey, isElsewhere, onRename, onRemove }: PasskeyRowProps) {
  const { t } = useTranslation()
  const { user } = useSnapshot(session)
  const { name, host, isSynced, created, used } = passkey
  const hasExactDates = user?.dateFormat ?? false
  return (
    <AccessRow
      icon="lock-keyhole"
      problem={isElsewhere ? t('settings.passkeys.elsewhere', { host }) : undefined}
      name={<bdi>{name}</bdi>}
      facts={
        <>
          <span>{t(isSynced ? 'settings.passkeys.synced' : 'settings.passkeys.oneDevice')}</span>
          <span title={formatFullDate(created)}>
            {t('settings.sessions.since', { moment: formatDate(created, hasExactDates) })}
          </span>
          {used === '' ? (
            <span>{t('settings.appPasswords.neverUsed')}</span>
          ) : (
            <span title={formatFullDate(used)}>
              {t('settings.appPasswords.used', { moment: formatDate(used, hasExactDates) })}
            </span>
          )}
        </>
      }
    >
      <IconButton
        icon="pencil"
        label={`${t('settings.passkeys.rename')}: ${name}`}
        onClick={onRename}
      />
      <IconButton
        icon="trash-2"
        label={`${t('settings.secondFactor.remove')} ${name}`}
        onClick={onRemove}
      />
    </AccessRow>
  )
}
