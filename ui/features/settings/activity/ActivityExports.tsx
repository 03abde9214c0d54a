import { Button } from '#ui/components/controls/Button.tsx'
import { useTranslation } from '#ui/i18n/i18n.ts'
import { type ActivityFilter, recordsUrl } from '#ui/lib/accounts/activity-filter.ts'
import { download } from '#ui/lib/page/download.ts'
import { withBase } from '#ui/lib/page/location.ts'
import './ActivityExports.css'

const FORMATS = ['csv', 'jsonl'] as const

/** Buttons that download all activity that matches the filter, one for each format. */
export function ActivityExports({ filter }: { filter: ActivityFilter }) {
  const { t } = useTranslation()
  return (
    <div className="ActivityExports">
      {FORMATS.map((format) => (
        <Button
          key={format}
          icon="download"
          aria-label={t('activity.exportAs', { format: t(`activity.formats.${format}`) })}
          onClick={() => download(withBase(recordsUrl(filter, { format })))}
        >
          {t(`activity.formats.${format}`)}
        </Button>
      ))}
    </div>
  )
}
