import { Link } from 'wouter'
import { ProgressBar } from '#ui/components/feedback/ProgressBar.tsx'
import { formatPercent, formatSize } from '#ui/i18n/format.ts'
import { useTranslation } from '#ui/i18n/i18n.ts'
import { UI_LIMITS } from '#ui/lib/limits.ts'
import { SPACE } from '#ui/lib/page/location.ts'
import { freedByEmptying, useUsage } from '#ui/state/folder/usage.ts'
import './StorageBar.css'

/** The used and usable storage space, once it is known, unless the administrator hides it. */
export function StorageBar() {
  const { t } = useTranslation()
  const usage = useUsage()
  if (!usage) return null
  // As `df` counts: without the bytes that the file system reserves for the administrator of the machine.
  const usable = usage.used + usage.free
  if (usable === 0) return null
  const fraction = usage.used / usable
  const trashBytes = freedByEmptying(usage)
  return (
    <Link className="StorageBar" href={`${SPACE}/`}>
      <div className="StorageBar__row">
        <strong>{t('sidebar.storage')}</strong>
        <span>{formatPercent(fraction)}</span>
      </div>
      <ProgressBar
        value={usage.used}
        max={usable}
        label={t('sidebar.storage')}
        tone={fraction > UI_LIMITS.storageWarningFraction ? 'danger' : undefined}
      />
      <span className="StorageBar__fact">
        {t('sidebar.usedOf', { used: formatSize(usage.used), total: formatSize(usable) })}
      </span>
      {trashBytes > 0 && (
        <span className="StorageBar__fact">
          {t('sidebar.inTrash', { size: formatSize(trashBytes) })}
        </span>
      )}
    </Link>
  )
}
