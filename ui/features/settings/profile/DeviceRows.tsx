import { useState } from 'react'
import { Button } from '#ui/components/controls/Button.tsx'
import { useTranslation } from '#ui/i18n/i18n.ts'
import type { SessionInfo } from '#wire/api/session.ts'
import { SessionRow } from './SessionRow.tsx'
import './DeviceRows.css'

interface DeviceRowsProps {
  /** Of one kind of device, the last used first. */
  sessions: readonly SessionInfo[]
  onEnd(session: SessionInfo): void
}

/** The sessions on one kind of device: the last used, and the others on request. */
export function DeviceRows({ sessions, onEnd }: DeviceRowsProps) {
  const { t } = useTranslation()
  const [isOpen, setOpen] = useState(false)
  const olderCount = sessions.length - 1
  // A button for one more row would be as high as the row.
  const isFoldable = olderCount > 1
  const shown = isOpen || !isFoldable ? sessions : sessions.slice(0, 1)
  return (
    <>
      {shown.map((info) => (
        <SessionRow key={info.id} info={info} onEnd={() => onEnd(info)} />
      ))}
      {isFoldable && (
        <li className="DeviceRows__older">
          <Button
            tone="quiet"
            icon={isOpen ? 'chevron-up' : 'chevron-down'}
            aria-expanded={isOpen}
            onClick={() => setOpen(!isOpen)}
          >
            {t('settings.sessions.older', { count: olderCount })}
          </Button>
        </li>
      )}
    </>
  )
}
