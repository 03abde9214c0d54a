import { useTranslation } from '#ui/i18n/i18n.ts'
import { Button } from '../controls/Button.tsx'
import './MissingPart.css'

export interface MissingPartProps {
  onRetry(): void
}

/** Replaces a part of the page whose code could not be loaded. */
export function MissingPart({ onRetry }: MissingPartProps) {
  const { t } = useTranslation()
  return (
    <div className="MissingPart" role="alert">
      <p>{t('errors.missingPart')}</p>
      <Button onClick={onRetry}>{t('common.tryAgain')}</Button>
    </div>
  )
}
