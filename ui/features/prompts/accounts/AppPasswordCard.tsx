import { useTranslation } from '#ui/i18n/i18n.ts'
import { withBase } from '#ui/lib/page/location.ts'
import { absoluteUrl } from '#ui/lib/urls/share-urls.ts'
import { session } from '#ui/state/session/session.ts'
import type { CardProps } from '../parts/card.ts'
import { LocalAddressNotice } from '../parts/LocalAddressNotice.tsx'
import { ShownOnceDialog } from '../parts/ShownOnceDialog.tsx'

/** Shows a new app password, with what else a program asks for. The server cannot show it again. */
export function AppPasswordCard({ question, onCancel }: CardProps<'appPassword'>) {
  const { t } = useTranslation()
  const { name, password } = question.created
  return (
    <ShownOnceDialog
      title={name}
      hint={t('settings.appPasswords.createdHint', { name: session.user?.username ?? '' })}
      text={password}
      qrLabel={t('settings.appPasswords.title')}
      action={t('share.copyPassword')}
      copied={t('share.passwordCopied')}
      notice={<LocalAddressNotice />}
      onClose={onCancel}
    >
      <p>{password}</p>
      <p>{absoluteUrl(withBase('/'))}</p>
    </ShownOnceDialog>
  )
}
