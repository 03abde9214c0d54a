import { useSnapshot } from 'valtio'
import { IconButton } from '#ui/components/controls/IconButton.tsx'
import { Badge } from '#ui/components/icons/Badge.tsx'
import { formatDate, formatFullDate, formatParts } from '#ui/i18n/format.ts'
import { useTranslation } from '#ui/i18n/i18n.ts'
import { session } from '#ui/state/session/session.ts'
import type { AppPassword } from '#wire/api/app-passwords.ts'
import { AccessRow } from '../rows/AccessRow.tsx'

interface AppPasswordRowProps {
  appPassword: AppPassword
  onPause(): void
  onRemove(): void
}

/** One app password of the list: what it is for and allows, and when it was last used. */
export function AppPasswordRow({ appPassword, onPause, onRemove }: AppPasswordRowProps) {
  const { t } = useTranslation()
  const { user } = useSnapshot(session)
  const { name, application, folder, permissions, paused, expires, isLost } = appPassword
  const hasExactDates = user?.dateFormat ?? false
  const allowed = permissions.map((permission) => t(`settings.permissions.${permission}.title`))
  const isOver = expires !== '' && Date.parse(expires) <= Date.now()
  return (
    <AccessRow
      icon="lock"
      problem={isLost ? t('settings.appPasswords.lost') : undefined}
      name={
        <>
          {appPassword.username !== undefined && <bdi>{appPassword.username}</bdi>}
          <bdi data-muted={appPassword.username === undefined ? undefined : true}>{name}</bdi>
          {paused && <Badge>{t('jobs.state.paused')}</Badge>}
          {isOver && <Badge tone="warning">{t('share.over')}</Badge>}
        </>
      }
      facts={
        <>
          {application !== '' && (
            <span>
              <bdi>{application}</bdi>
            </span>
          )}
          <span>
            <bdi dir="ltr">{folder}</bdi>
          </span>
          <span>{formatParts(allowed)}</span>
          {expires !== '' && !isOver && (
            <span title={formatFullDate(expires)}>
              {t('settings.shares.lasts')}: {formatDate(expires, hasExactDates)}
            </span>
          )}
          <LastUse appPassword={appPassword} hasExactDates={hasExactDates} />
        </>
      }
    >
      <IconButton
        icon={paused ? 'play' : 'pause'}
        label={t(paused ? 'jobs.resume' : 'jobs.pause', { name })}
        onClick={onPause}
      />
      <IconButton
        icon="trash-2"
        label={`${t('settings.appPasswords.remove')}: ${name}`}
        onClick={onRemove}
      />
    </AccessRow>
  )
}

interface LastUseProps {
  appPassword: AppPassword
  hasExactDates: boolean
}

/** When, from which address and with which program it was last used. */
function LastUse({ appPassword: { used, address, agent }, hasExactDates }: LastUseProps) {
  const { t } = useTranslation()
  if (used === '') return <span>{t('settings.appPasswords.neverUsed')}</span>
  return (
    <>
      <span title={formatFullDate(used)}>
        {t('settings.appPasswords.used', { moment: formatDate(used, hasExactDates) })}
      </span>
      {address !== '' && <bdi dir="ltr">{address}</bdi>}
      {agent !== '' && (
        <bdi dir="ltr" title={agent}>
          {programIn(agent)}
        </bdi>
      )}
    </>
  )
}

/** The first product of a User-Agent (RFC 9110 section 10.1.5), such as `rclone/v1.60.1`. */
function programIn(agent: string): string {
  return agent.split(' ')[0] ?? ''
}
