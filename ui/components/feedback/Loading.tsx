import { useTranslation } from '#ui/i18n/i18n.ts'
import { Spinner } from './Spinner.tsx'
import './Loading.css'

/** The placeholder of content that loads. It appears after a delay, so that it does not flash. */
export function Loading() {
  const { t } = useTranslation()
  return (
    <div className="Loading">
      <Spinner label={t('common.loading')} />
    </div>
  )
}
