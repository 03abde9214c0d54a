import { useCallback, useEffect, useState } from 'react'
import { useSnapshot } from 'valtio'
import { Button } from '#ui/components/controls/Button.tsx'
import { formatDate } from '#ui/i18n/format.ts'
import { useTranslation } from '#ui/i18n/i18n.ts'
import { toastError, toastSuccess } from '#ui/state/messages/toasts.ts'
import { removeSecondFactor, secondFactorSince } from '#ui/state/session/second-factor.ts'
import { session } from '#ui/state/session/session.ts'
import { SettingFooter, SettingGroup } from '../rows/SettingGroup.tsx'

/** The second factor of another user, which an administrator can remove; nothing if the user has none. */
export function UserSecondFactor({ userId }: { userId: number }) {
  const { t } = useTranslation()
  const { user } = useSnapshot(session)
  const [since, setSince] = useState('')
  const [isBusy, setBusy] = useState(false)

  const load = useCallback(async () => setSince(await secondFactorSince(userId)), [userId])

  useEffect(() => {
    load().catch(toastError)
  }, [load])

  async function remove(): Promise<void> {
    setBusy(true)
    try {
      if (await removeSecondFactor(userId)) toastSuccess(t('settings.secondFactor.removed'))
      await load()
    } catch (error) {
      toastError(error)
    }
    setBusy(false)
  }

  if (since === '') return null
  const moment = formatDate(since, user?.dateFormat ?? false)
  return (
    <SettingGroup
      title={t('settings.secondFactor.title')}
      hint={t('settings.secondFactor.removeHint')}
    >
      <SettingFooter hint={t('settings.secondFactor.since', { moment })}>
        <Button disabled={isBusy} onClick={() => void remove()}>
          {t('settings.secondFactor.remove')}
        </Button>
      </SettingFooter>
    </SettingGroup>
  )
}
