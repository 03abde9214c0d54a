import { useCallback, useEffect, useRef, useState } from 'react'
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
  // A disabled button would lose the focus, which its dialog returns to it.
  const isBusy = useRef(false)
  const remains = useRef<HTMLDivElement>(null)
  const wasRemoved = useRef(false)

  const load = useCallback(async () => setSince(await secondFactorSince(userId)), [userId])

  useEffect(() => {
    load().catch(toastError)
  }, [load])

  // The button is gone with the factor: the next key must not begin at the top of the page.
  useEffect(() => {
    if (since === '' && wasRemoved.current) remains.current?.focus()
  }, [since])

  async function remove(): Promise<void> {
    if (isBusy.current) return
    isBusy.current = true
    try {
      if (await removeSecondFactor(userId)) {
        wasRemoved.current = true
        toastSuccess(t('settings.secondFactor.removed'))
      }
      await load()
    } catch (error) {
      toastError(error)
    }
    isBusy.current = false
  }

  if (since === '') return wasRemoved.current ? <div ref={remains} tabIndex={-1} /> : null
  const moment = formatDate(since, user?.dateFormat ?? false)
  return (
    <SettingGroup
      title={t('settings.secondFactor.title')}
      hint={t('settings.secondFactor.removeHint')}
    >
      <SettingFooter hint={t('settings.secondFactor.since', { moment })}>
        <Button onClick={() => void remove()}>{t('settings.secondFactor.remove')}</Button>
      </SettingFooter>
    </SettingGroup>
  )
}
