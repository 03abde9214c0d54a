import { useRef } from 'react'
import { useSnapshot } from 'valtio'
import { Button } from '#ui/components/controls/Button.tsx'
import { useKeptFocus } from '#ui/components/hooks/use-kept-focus.ts'
import { formatDate, formatNumber } from '#ui/i18n/format.ts'
import { useTranslation } from '#ui/i18n/i18n.ts'
import { toastError, toastSuccess } from '#ui/state/messages/toasts.ts'
import {
  removeSecondFactor,
  renewRecoveryCodes,
  setUpSecondFactor,
} from '#ui/state/session/second-factor.ts'
import { session } from '#ui/state/session/session.ts'
import type { SecondFactor } from '#wire/api/second-factor.ts'
import { SettingFooter, SettingGroup } from '../rows/SettingGroup.tsx'

interface SecondFactorGroupProps {
  /** Undefined while it loads. */
  secondFactor: SecondFactor | undefined
  /** Called after a change, to load it again. */
  onChanged(): void
}

/** One's own second factor: whether a sign-in asks for a code, and the recovery codes. */
export function SecondFactorGroup({ secondFactor, onChanged }: SecondFactorGroupProps) {
  const { t } = useTranslation()
  const { user } = useSnapshot(session)
  // A disabled button would lose the focus, which its dialog returns to it.
  const isBusy = useRef(false)
  const group = useKeptFocus<HTMLElement>(secondFactor)
  const since = secondFactor?.since ?? ''
  const hasPasskeys = (secondFactor?.passkeyHosts.length ?? 0) > 0
  const isOn = since !== '' || hasPasskeys

  async function run(work: () => Promise<unknown>): Promise<void> {
    if (isBusy.current) return
    isBusy.current = true
    try {
      await work()
    } catch (error) {
      toastError(error)
    }
    isBusy.current = false
    onChanged()
  }

  async function turnOff(): Promise<void> {
    if (await removeSecondFactor()) toastSuccess(t('settings.secondFactor.turnedOff'))
  }

  const state = isOn
    ? [
        since
          ? t('settings.secondFactor.since', {
              moment: formatDate(since, user?.dateFormat ?? false),
            })
          : t('settings.passkeys.on'),
        t('settings.secondFactor.codesLeft', {
          value: formatNumber(secondFactor?.recoveryCodes ?? 0),
        }),
      ].join(' · ')
    : t('settings.secondFactor.off')
  return (
    <SettingGroup
      title={t('settings.secondFactor.title')}
      hint={t('settings.secondFactor.hint')}
      ref={group}
    >
      <SettingFooter hint={secondFactor && state}>
        {since !== '' && (
          <Button tone="quiet" onClick={() => void run(turnOff)}>
            {t('settings.secondFactor.turnOff')}
          </Button>
        )}
        {isOn && (
          <Button onClick={() => void run(renewRecoveryCodes)}>
            {t('settings.secondFactor.newCodes')}
          </Button>
        )}
        {since === '' && (
          <Button disabled={!secondFactor} onClick={() => void run(setUpSecondFactor)}>
            {t('settings.secondFactor.setUp')}
          </Button>
        )}
      </SettingFooter>
    </SettingGroup>
  )
}
