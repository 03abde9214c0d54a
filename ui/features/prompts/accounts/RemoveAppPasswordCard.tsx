import '#ui/i18n/settings-messages.ts'
import { Button } from '#ui/components/controls/Button.tsx'
import { Dialog } from '#ui/components/overlays/Dialog.tsx'
import { useTranslation } from '#ui/i18n/i18n.ts'
import type { CardProps } from '../parts/card.ts'

/** Confirms that an app password is removed, which cannot be undone. */
export function RemoveAppPasswordCard({
  question,
  onAnswer,
  onCancel,
}: CardProps<'removeAppPassword'>) {
  const { t } = useTranslation()
  return (
    <Dialog
      title={t('settings.appPasswords.removeTitle', { name: question.appPassword.name })}
      hint={t('settings.appPasswords.removeHint')}
      onClose={onCancel}
      actions={
        <>
          <Button onClick={onCancel}>{t('common.cancel')}</Button>
          <Button tone="danger" onClick={() => onAnswer(true)}>
            {t('settings.appPasswords.remove')}
          </Button>
        </>
      }
    />
  )
}
