import { IconButton } from '#ui/components/IconButton.tsx'
import { useTranslation } from '#ui/i18n/i18n.ts'
import type { Turns } from './use-share-turns.ts'
import './ShareTurns.css'

/** To the files before and after this one. Both stay, so that neither moves under a finger. */
export function ShareTurns({ previous, next }: Turns) {
  const { t } = useTranslation()
  if (!previous && !next) return null
  return (
    <div className="ShareTurns">
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
