import { Button } from '#ui/components/Button.tsx'
import { useTranslation } from '#ui/i18n/i18n.ts'
import { type ActFilter, actsUrl } from '#ui/lib/act-filter.ts'
import { download } from '#ui/lib/download.ts'
import { withBase } from '#ui/lib/location.ts'
import './ActExports.css'

const FORMATS = ['csv', 'jsonl'] as const

/** Buttons that download all activity that matches the filter, one for each format. */
export function ActExports({ filter }: { filter: ActFilter }) {
  const { t } = useTranslation()
  return (
    <div className="ActExports">
      {FORMATS.map((format) => (
        <Button
          key={format}
          icon="download"
          aria-label={t('activity.exportAs', { format: t(`activity.formats.${format}`) })}
          onClick={() => download(withBase(actsUrl(filter, { format })))}
        >
          {t(`activity.formats.${format}`)}
        </Button>
      ))}
    </div>
  )
}
