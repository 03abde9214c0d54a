import { useSnapshot } from 'valtio'
import { Button } from '#ui/components/controls/Button.tsx'
import { Badge } from '#ui/components/icons/Badge.tsx'
import { Icon } from '#ui/components/icons/Icon.tsx'
import { formatDate, formatFullDate } from '#ui/i18n/format.ts'
import { useTranslation } from '#ui/i18n/i18n.ts'
import { deviceOf } from '#ui/lib/page/device.ts'
import { session } from '#ui/state/session/session.ts'
import type { SessionInfo } from '#wire/api/session.ts'
import './SessionRow.css'

interface SessionRowProps {
  info: SessionInfo
  onEnd(): void
}

/** One session of the list. The present one has no button: it ends with Log out. */
export function SessionRow({ info, onEnd }: SessionRowProps) {
  const { t } = useTranslation()
  const { user } = useSnapshot(session)
  const { browser, system, isMobile } = deviceOf(info.agent)
  const device =
    browser && system
      ? t('settings.sessions.device', { browser, system })
      : browser || system || t('settings.sessions.unknownDevice')
  const hasExactDates = user?.dateFormat ?? false
  const since = formatDate(info.created, hasExactDates)
  return (
    <li className="SessionRow">
      <Icon name={isMobile ? 'smartphone' : 'monitor'} />
      <div className="SessionRow__text">
        <span className="SessionRow__name" title={info.agent}>
          {info.username !== undefined && <bdi>{info.username}</bdi>}
          <bdi data-muted={info.username === undefined ? undefined : true}>{device}</bdi>
          {info.current && <Badge tone="success">{t('settings.sessions.current')}</Badge>}
        </span>
        <span className="SessionRow__facts">
          <bdi>{info.address}</bdi>
          <span className="SessionRow__since" title={formatFullDate(info.created)}>
            {t('settings.sessions.since', { moment: since })}
          </span>
          <span title={formatFullDate(info.seen)}>
            {t('settings.sessions.seen', { moment: formatDate(info.seen, hasExactDates) })}
          </span>
        </span>
      </div>
      {!info.current && (
        <Button
          aria-label={t('settings.sessions.endOf', {
            device: [info.username, device].filter(Boolean).join(', '),
            moment: since,
          })}
          onClick={onEnd}
        >
          {t('settings.sessions.end')}
        </Button>
      )}
    </li>
  )
}
