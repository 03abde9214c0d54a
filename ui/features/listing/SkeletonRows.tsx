import { useSnapshot } from 'valtio'
import { useTranslation } from '#ui/i18n/i18n.ts'
import { session } from '#ui/state/session/session.ts'
import './SkeletonRows.css'

/** Widths of the placeholders for names, as fractions of the column. */
const WIDTHS = [0.18, 0.26, 0.14, 0.32, 0.22, 0.4, 0.16, 0.28, 0.36, 0.2, 0.3, 0.24]

/** Placeholder rows, shown while a folder loads slowly. */
export function SkeletonRows() {
  const { t } = useTranslation()
  const { user } = useSnapshot(session)
  const view = user && user.viewMode !== 'list' ? 'tiles' : 'list'
  return (
    <div className="SkeletonRows" role="status" aria-label={t('common.loading')} data-view={view}>
      {WIDTHS.map((width) => (
        <div key={width} className="SkeletonRows__row">
          <span className="SkeletonRows__icon" />
          <span className="SkeletonRows__name" style={{ inlineSize: `${width * 100}%` }} />
        </div>
      ))}
    </div>
  )
}
