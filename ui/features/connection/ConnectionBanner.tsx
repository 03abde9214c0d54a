import { useSnapshot } from 'valtio'
import { Icon } from '#ui/components/icons/Icon.tsx'
import { useTranslation } from '#ui/i18n/i18n.ts'
import { connection } from '#ui/state/session/connection.ts'
import './ConnectionBanner.css'

/** Shows that the server is unreachable, until it is reachable again. */
export function ConnectionBanner() {
  const { t } = useTranslation()
  const { isLost } = useSnapshot(connection)
  return (
    <div className="ConnectionBanner" role="status" hidden={!isLost}>
      {isLost && (
        <>
          <Icon name="cloud-off" />
          {t('connection.lost')}
        </>
      )}
    </div>
  )
}
