import { ProgressBar } from '#ui/components/ProgressBar.tsx'
import { formatPercent, formatSize } from '#ui/i18n/format.ts'
import { useTranslation } from '#ui/i18n/i18n.ts'
import { useUsage } from '#ui/state/usage.ts'
import './StorageBar.css'

/** The used share of the storage above which the bar warns. */
const NEARLY_FULL = 0.95

/** Used and total bytes, once they are known, unless the administrator hides them. */
export function StorageBar() {
  const { t } = useTranslation()
  const known = useUsage()
  if (!known || known.total === 0) return null
  const share = known.used / known.total
  return (
    <div className="StorageBar">
      <div className="StorageBar__row">
        <strong>{t('sidebar.storage')}</strong>
        <span>{formatPercent(share)}</span>
      </div>
      <ProgressBar
        value={known.used}
        max={known.total}
        label={t('sidebar.storage')}
        tone={share > NEARLY_FULL ? 'danger' : undefined}
      />
      <span className="StorageBar__fact">
        {t('sidebar.usedOf', { used: formatSize(known.used), total: formatSize(known.total) })}
      </span>
    </div>
  )
}
