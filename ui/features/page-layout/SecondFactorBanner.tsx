import { useEffect } from 'react'
import { useSnapshot } from 'valtio'
import { Link } from 'wouter'
import { IconButton } from '#ui/components/controls/IconButton.tsx'
import { Icon } from '#ui/components/icons/Icon.tsx'
import { formatDay } from '#ui/i18n/day-format.ts'
import { useTranslation } from '#ui/i18n/i18n.ts'
import { PROFILE } from '#ui/lib/page/location.ts'
import { closeFactorDue, factorDue, ownSecondFactor } from '#ui/state/session/second-factor.ts'
import './SecondFactorBanner.css'

/**
 * Tells a user who has no second factor from when one is needed, above the content of every page. It stays closed until
 * the page is loaded again.
 */
export function SecondFactorBanner({ userId }: { userId: number }) {
  const { t } = useTranslation()
  const { from, closedBy } = useSnapshot(factorDue)
  useEffect(() => {
    // Nothing is shown without an answer.
    ownSecondFactor().catch(() => {})
  }, [])
  if (from === '' || closedBy === userId) return null
  return (
    <section className="SecondFactorBanner" aria-label={t('settings.secondFactor.title')}>
      <Icon name="lock-keyhole" />
      <p>
        {t('settings.secondFactor.soon', { moment: formatDay(from) })}
        <Link href={PROFILE}>{t('settings.secondFactor.setUp')}</Link>
      </p>
      <IconButton icon="x" label={t('common.close')} onClick={() => closeFactorDue(userId)} />
    </section>
  )
}
