import { type ReactNode, useState } from 'react'
import { Link } from 'wouter'
import { IconButton } from '#ui/components/controls/IconButton.tsx'
import { PanelCard } from '#ui/components/feedback/PanelCard.tsx'
import { useAsync } from '#ui/components/hooks/use-async.ts'
import { useMedia } from '#ui/components/hooks/use-media.ts'
import { Icon, type IconName } from '#ui/components/icons/Icon.tsx'
import { useTranslation } from '#ui/i18n/i18n.ts'
import { PROFILE, USERS } from '#ui/lib/page/location.ts'
import { NARROW } from '#ui/lib/page/media.ts'
import { dismissFirstSteps, loadFirstSteps } from '#ui/state/administration/first-steps.ts'
import { toastError } from '#ui/state/messages/toasts.ts'
import { settings } from '#ui/state/session/settings.ts'
import type { FirstSteps } from '#wire/api/first-steps.ts'
import { PhoneStep } from './PhoneStep.tsx'
import './FirstStepsPanel.css'

/** The first steps of the administrator, until they are dismissed. */
export function FirstStepsPanel() {
  const [isDismissed, setDismissed] = useState(false)
  const isNarrow = useMedia(NARROW)
  const result = useAsync('', loadFirstSteps)
  // Without sign-in there is only the step for a phone, which narrow windows leave out.
  if (isNarrow && settings.AuthMethod === 'noauth') return null
  if (isDismissed || result.status !== 'loaded' || !result.value) return null

  function dismiss(): void {
    setDismissed(true)
    dismissFirstSteps().catch((error) => {
      setDismissed(false)
      toastError(error)
    })
  }

  return <Card steps={result.value} onDismiss={dismiss} />
}

function Card({ steps, onDismiss }: { steps: FirstSteps; onDismiss(): void }) {
  const { t } = useTranslation()
  const isNarrow = useMedia(NARROW)
  /** Undefined until the user folds or unfolds the card. */
  const [isFoldedByUser, setFoldedByUser] = useState<boolean>()
  // In a narrow window the steps would leave little room for the files.
  const isFolded = isFoldedByUser ?? isNarrow
  return (
    <div className="FirstStepsPanel" data-open={!isFolded || undefined}>
      <PanelCard
        label={t('firstSteps.title')}
        phase="active"
        title={t('firstSteps.title')}
        isQuiet
        buttons={
          <>
            <IconButton
              icon={isFolded ? 'chevron-up' : 'chevron-down'}
              size="s"
              label={t(isFolded ? 'firstSteps.unfold' : 'firstSteps.fold')}
              aria-expanded={!isFolded}
              onClick={() => setFoldedByUser(!isFolded)}
            />
            <IconButton icon="x" size="s" label={t('firstSteps.dismiss')} onClick={onDismiss} />
          </>
        }
      >
        {!isFolded && (
          <ul className="FirstStepsPanel__steps">
            {settings.AuthMethod === 'json' && (
              <Step name="password" icon="lock" href={PROFILE} isDone={!steps.changePassword} />
            )}
            {settings.AuthMethod !== 'noauth' && (
              <Step
                name="people"
                icon="users-round"
                href={steps.addPeople ? `${USERS}/new` : USERS}
                isDone={!steps.addPeople}
              />
            )}
            {!isNarrow && <PhoneStep hosts={steps.hosts} />}
          </ul>
        )}
      </PanelCard>
    </div>
  )
}

interface StepProps {
  name: 'password' | 'people'
  icon: IconName
  href: string
  isDone: boolean
}

function Step({ name, icon, href, isDone }: StepProps): ReactNode {
  const { t } = useTranslation()
  return (
    <li className="FirstStepsPanel__step" data-done={isDone || undefined}>
      <Icon name={isDone ? 'circle-check' : icon} />
      <Link className="FirstStepsPanel__link" href={href}>
        <span className="FirstStepsPanel__title">
          {t(isDone ? `firstSteps.${name}.done` : `firstSteps.${name}.title`)}
        </span>
        {!isDone && <span className="FirstStepsPanel__hint">{t(`firstSteps.${name}.hint`)}</span>}
      </Link>
      <Icon name="chevron-right" mirror />
    </li>
  )
}
