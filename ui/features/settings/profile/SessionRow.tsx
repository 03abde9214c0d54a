import { useSnapshot } from 'valtio'
import { Button } from '#ui/components/controls/Button.tsx'
import { Badge } from '#ui/components/icons/Badge.tsx'
import { deviceName } from '#ui/i18n/device-name.ts'
import { formatDate, formatFullDate, formatParts } from '#ui/i18n/format.ts'
import { useTranslation } from '#ui/i18n/i18n.ts'
import { deviceOf } from '#ui/lib/page/device.ts'
import { session } from '#ui/state/session/session.ts'
import type { SessionInfo } from '#wire/api/session.ts'
import { AccessRow } from '../rows/AccessRow.tsx'
import './SessionRow.css'

interface SessionRowProps {
  info: SessionInfo
  onEnd(): void
}

/** One session of the list. The current one has no button: it ends with Log out. */
export function SessionRow({ info, onEnd }: SessionRowProps) {
  const { t } = useTranslation()
  const { user } = useSnapshot(session)
  const { isMobile } = deviceOf(info.agent)
  const device = deviceName(info.agent)
  const hasExactDates = user?.dateFormat ?? false
  const since = formatDate(info.created, hasExactDates)
  return (
    <AccessRow
      icon={isMobile ? 'smartphone' : 'monitor'}
      nameTitle={info.agent}
      name={
        <>
          {info.username !== undefined && <bdi>{info.username}</bdi>}
          <bdi data-muted={info.username === undefined ? undefined : true}>{device}</bdi>
          {info.current && <Badge tone="success">{t('settings.sessions.current')}</Badge>}
        </>
      }
      facts={
        <>
          <span>
            <bdi>{info.address}</bdi>
          </span>
          <span className="SessionRow__since" title={formatFullDate(info.created)}>
            {t('settings.sessions.since', { moment: since })}
          </span>
          <span title={formatFullDate(info.seen)}>
            {t('settings.sessions.seen', { moment: formatDate(info.seen, hasExactDates) })}
          </span>
        </>
      }
    >
      {!info.current && (
        <Button
          aria-label={t('settings.sessions.endOf', {
            device: formatParts(info.username ? [info.username, device] : [device]),
            moment: since,
          })}
          onClick={onEnd}
        >
          {t('settings.sessions.end')}
        </Button>
      )}
    </AccessRow>
  )
}
