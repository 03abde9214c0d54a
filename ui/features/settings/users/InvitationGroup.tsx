import { useCallback, useEffect, useState } from 'react'
import { Button } from '#ui/components/controls/Button.tsx'
import { formatMoment } from '#ui/i18n/format.ts'
import { useTranslation } from '#ui/i18n/i18n.ts'
import {
  inviteAgain,
  listInvitations,
  withdrawInvitation,
} from '#ui/state/administration/invitations.ts'
import { toastError, toastSuccess } from '#ui/state/messages/toasts.ts'
import type { Invitation } from '#wire/api/invitations.ts'
import { SettingFooter, SettingGroup } from '../rows/SettingGroup.tsx'

/** The invitation of this user: the open one, or a button for a new one. */
export function InvitationGroup({ userId }: { userId: number }) {
  const { t } = useTranslation()
  const [openInvitation, setOpenInvitation] = useState<Invitation>()
  const [isBusy, setBusy] = useState(false)

  const load = useCallback(async () => {
    const all = await listInvitations()
    setOpenInvitation(all.find(({ userID }) => userID === userId))
  }, [userId])

  useEffect(() => {
    load().catch(toastError)
  }, [load])

  async function runRequest(work: () => Promise<unknown>): Promise<void> {
    setBusy(true)
    try {
      await work()
      await load()
    } catch (error) {
      toastError(error)
    }
    setBusy(false)
  }

  async function withdraw(): Promise<void> {
    await withdrawInvitation(userId)
    toastSuccess(t('settings.invitation.withdrawn'))
  }

  const until = openInvitation && formatMoment(new Date(openInvitation.expires * 1000))
  return (
    <SettingGroup title={t('settings.invitation.title')}>
      <SettingFooter
        hint={
          until ? t('settings.invitation.open', { when: until }) : t('settings.invitation.hint')
        }
      >
        {openInvitation && (
          <Button tone="quiet" disabled={isBusy} onClick={() => void runRequest(withdraw)}>
            {t('settings.invitation.withdraw')}
          </Button>
        )}
        <Button
          icon="link"
          disabled={isBusy}
          onClick={() => void runRequest(() => inviteAgain(userId))}
        >
          {t(openInvitation ? 'settings.invitation.again' : 'settings.invitation.make')}
        </Button>
      </SettingFooter>
    </SettingGroup>
  )
}
