import { Card } from '#ui/components/feedback/Card.tsx'
import { useTranslation } from '#ui/i18n/i18n.ts'
import './ShareSkeleton.css'

/** Widths of the placeholder lines, as fractions of the column. */
const WIDTHS = [0.28, 0.42, 0.2, 0.36, 0.5, 0.24, 0.4, 0.32]

/** The placeholder of a shared entry that loads slowly. */
export function ShareSkeleton() {
  const { t } = useTranslation()
  return (
    <div className="ShareSkeleton" role="status" aria-label={t('common.loading')}>
      <Card className="ShareSkeleton__card">
        <span className="ShareSkeleton__picture" />
        <span className="ShareSkeleton__line" />
        <span className="ShareSkeleton__line" />
        <span className="ShareSkeleton__button" />
      </Card>
      <Card className="ShareSkeleton__card">
        {WIDTHS.map((width) => (
          <span
            key={width}
            className="ShareSkeleton__line"
            style={{ inlineSize: `${width * 100}%` }}
          />
        ))}
      </Card>
    </div>
  )
}
