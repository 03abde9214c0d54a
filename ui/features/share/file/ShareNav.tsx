import { IconButton } from '#ui/components/controls/IconButton.tsx'
import { useTranslation } from '#ui/i18n/i18n.ts'
import type { ShareNavState } from './use-share-nav.ts'
import './ShareNav.css'

/** Buttons for the previous and next file. Both are always rendered, so that they do not move. */
export function ShareNav({ previous, next }: ShareNavState) {
  const { t } = useTranslation()
  if (!previous && !next) return null
  return (
    <div className="ShareNav">
      <IconButton
        icon="chevron-left"
        mirror
        label={t('viewer.previous')}
        disabled={!previous}
        onClick={previous}
      />
      <IconButton
        icon="chevron-right"
        mirror
        label={t('viewer.next')}
        disabled={!next}
        onClick={next}
      />
    </div>
  )
}
