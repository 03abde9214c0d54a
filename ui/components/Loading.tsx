import { useTranslation } from '#ui/i18n/i18n.ts'
import { Spinner } from './Spinner.tsx'
import './Loading.css'

/** The place of something that is on its way. What comes at a glance is not announced by a flash. */
export function Loading() {
  const { t } = useTranslation()
  return (
    <div className="Loading">
      <Spinner label={t('common.loading')} />
    </div>
  )
}
