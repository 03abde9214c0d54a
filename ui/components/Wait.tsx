import { useTranslation } from '#ui/i18n/i18n.ts'
import { Spinner } from './Spinner.tsx'
import './Wait.css'

/** The place of something that is on its way. What comes at a glance is not announced by a flash. */
export function Wait() {
  const { t } = useTranslation()
  return (
    <div className="Wait">
      <Spinner label={t('common.loading')} />
    </div>
  )
}
