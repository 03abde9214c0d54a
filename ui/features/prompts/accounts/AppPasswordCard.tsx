import '#ui/i18n/settings-messages.ts'
import { useState } from 'react'
import { Button } from '#ui/components/controls/Button.tsx'
import { Notice } from '#ui/components/feedback/Notice.tsx'
import { Dialog } from '#ui/components/overlays/Dialog.tsx'
import { QrCode } from '#ui/components/pictures/QrCode.tsx'
import { useTranslation } from '#ui/i18n/i18n.ts'
import { withBase } from '#ui/lib/page/location.ts'
import { absoluteUrl } from '#ui/lib/urls/share-urls.ts'
import { copy } from '#ui/state/messages/copy.ts'
import { session } from '#ui/state/session/session.ts'
import { autofocus } from '../parts/autofocus.ts'
import type { CardProps } from '../parts/card.ts'
import './InvitationCard.css'

/** Shows a new app password, with what else a program asks for. The server cannot show it again. */
export function AppPasswordCard({ question, onCancel }: CardProps<'appPassword'>) {
  const { t } = useTranslation()
  const { name, password } = question.created
  const [problem, setProblem] = useState<string>()
  const address = absoluteUrl(withBase('/'))
  return (
    <Dialog
      title={name}
      hint={t('settings.appPasswords.createdHint', { name: session.user?.username ?? '' })}
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
              void copy(password, { success: t('share.passwordCopied'), onError: setProblem })
            }}
          >
            {t('share.copyPassword')}
          </Button>
        </>
      }
    >
      {problem && <Notice tone="danger">{problem}</Notice>}
      <div className="InvitationCard">
        <div className="InvitationCard__url" dir="ltr">
          <p>{password}</p>
          <p>{address}</p>
        </div>
        <QrCode text={password} sizePx={144} label={t('settings.appPasswords.title')} />
      </div>
    </Dialog>
  )
}
