import { useState } from 'react'
import { Button } from '#ui/components/controls/Button.tsx'
import { Notice } from '#ui/components/feedback/Notice.tsx'
import { Dialog } from '#ui/components/overlays/Dialog.tsx'
import { QrCode } from '#ui/components/pictures/QrCode.tsx'
import { formatMoment } from '#ui/i18n/format.ts'
import { useTranslation } from '#ui/i18n/i18n.ts'
import { copy } from '#ui/state/messages/copy.ts'
import { autofocus } from '../parts/autofocus.ts'
import type { CardProps } from '../parts/card.ts'
import './InvitationCard.css'

/** Shows the link of an invitation. The server cannot show it again. */
export function InvitationCard({ question, onCancel }: CardProps<'invitation'>) {
  const { t } = useTranslation()
  const { username, url, expires } = question
  const [problem, setProblem] = useState<string>()
  const when = formatMoment(new Date(expires * 1000))
  return (
    <Dialog
      title={t('prompts.invitation.title', { name: username })}
      hint={t('prompts.invitation.hint', { when })}
      wide
      onClose={onCancel}
      actions={
        <>
          <Button data-push onClick={onCancel}>
            {t('common.close')}
          </Button>
          <Button
            tone="accent"
            icon="copy"
            ref={autofocus}
            onClick={() => {
              setProblem(undefined)
              void copy(url, { success: t('share.copied'), onError: setProblem })
            }}
          >
            {t('share.copyLink')}
          </Button>
        </>
      }
    >
      {problem && <Notice tone="danger">{problem}</Notice>}
      <div className="InvitationCard">
        <p className="InvitationCard__url" dir="ltr">
          {url}
        </p>
        <QrCode text={url} sizePx={144} label={t('share.qrOf', { url })} />
      </div>
    </Dialog>
  )
}
