import '#ui/i18n/settings-messages.ts'
import { useState } from 'react'
import { Link } from 'wouter'
import { IconButton } from '#ui/components/controls/IconButton.tsx'
import { PanelCard } from '#ui/components/feedback/PanelCard.tsx'
import { useAsync } from '#ui/components/hooks/use-async.ts'
import { Icon } from '#ui/components/icons/Icon.tsx'
import { formatDay } from '#ui/i18n/day-format.ts'
import { useTranslation } from '#ui/i18n/i18n.ts'
import { PROFILE } from '#ui/lib/page/location.ts'
import { ownSecondFactor } from '#ui/state/session/second-factor.ts'
import './FirstStepsPanel.css'

/** Tells a user who has no second factor from when one is needed. It can be closed until the page is loaded again. */
export function SecondFactorBanner() {
  const { t } = useTranslation()
  const [isClosed, setClosed] = useState(false)
  const result = useAsync('', ownSecondFactor)
  if (isClosed || result.status !== 'loaded') return null
  const { since, passkeyHosts, requiredFrom } = result.value
  if (requiredFrom === '' || since !== '' || passkeyHosts.length > 0) return null
  return (
    <PanelCard
      label={t('settings.secondFactor.title')}
      phase="active"
      title={t('settings.secondFactor.title')}
      isQuiet
      buttons={
        <IconButton icon="x" size="s" label={t('common.close')} onClick={() => setClosed(true)} />
      }
    >
      <ul className="FirstStepsPanel">
        <li className="FirstStepsPanel__step">
          <Icon name="lock-keyhole" />
          <Link className="FirstStepsPanel__link" href={PROFILE}>
            <span className="FirstStepsPanel__title">{t('settings.secondFactor.setUp')}</span>
            <span className="FirstStepsPanel__hint">
              {t('settings.secondFactor.soon', { moment: formatDay(requiredFrom) })}
            </span>
          </Link>
        </li>
      </ul>
    </PanelCard>
  )
}
