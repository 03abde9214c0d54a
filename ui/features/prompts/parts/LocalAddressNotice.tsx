import { useSnapshot } from 'valtio'
import { Notice } from '#ui/components/feedback/Notice.tsx'
import { useTranslation } from '#ui/i18n/i18n.ts'
import { isOwnMachine } from '#ui/lib/urls/share-urls.ts'
import { session } from '#ui/state/session/session.ts'
import { settings } from '#ui/state/session/settings.ts'
import { permits } from '#wire/permissions.ts'

/** Says that links of this page lead to the user's own computer, and how to change that; nothing if they lead elsewhere. */
export function LocalAddressNotice() {
  const { t } = useTranslation()
  const { user } = useSnapshot(session)
  const { PublicAddress } = useSnapshot(settings)
  if (PublicAddress !== '' || !isOwnMachine()) return null
  const maySet = user !== null && permits(user.perm, 'administer')
  return (
    <Notice>
      {t(maySet ? 'settings.access.publicAddress.local' : 'settings.access.publicAddress.localAsk')}
    </Notice>
  )
}
