import { useTranslation } from '#ui/i18n/i18n.ts'
import type { LostShare } from '#wire/api/share.ts'
import { Button } from '../controls/Button.tsx'
import './LostShareNotice.css'

interface LostShareNoticeProps {
  lost: LostShare
  /** Makes the share one of what has the name now. */
  onAdopt(): void
}

/** Says that visitors of a share see nothing and why; if something else has the name, it can be shared instead. */
export function LostShareNotice({ lost, onAdopt }: LostShareNoticeProps) {
  const { t } = useTranslation()
  return (
    <span className="LostShareNotice">
      <span className="LostShareNotice__text">{t(`share.lost.${lost}`)}</span>
      {lost === 'another' && <Button onClick={onAdopt}>{t('share.lost.adopt')}</Button>}
    </span>
  )
}
