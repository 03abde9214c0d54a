import { formatMoment } from '#ui/i18n/format.ts'
import { useTranslation } from '#ui/i18n/i18n.ts'
import type { CardProps } from '../parts/card.ts'
import { LocalAddressNotice } from '../parts/LocalAddressNotice.tsx'
import { ShownOnceDialog } from '../parts/ShownOnceDialog.tsx'

/** Shows the link of an invitation. The server cannot show it again. */
export function InvitationCard({ question, onCancel }: CardProps<'invitation'>) {
  const { t } = useTranslation()
  const { username, url, expires } = question
  const when = formatMoment(new Date(expires * 1000))
  return (
    <ShownOnceDialog
      title={t('prompts.invitation.title', { name: username })}
      hint={t('prompts.invitation.hint', { when })}
      text={url}
      qrLabel={t('share.qrOf', { url })}
      action={t('share.copyLink')}
      copied={t('share.copied')}
      notice={<LocalAddressNotice />}
      onClose={onCancel}
    >
      <p>{url}</p>
    </ShownOnceDialog>
  )
}
