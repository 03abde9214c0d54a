import { useTranslation } from '#ui/i18n/i18n.ts'
import { session } from '#ui/state/session/session.ts'
import type { CardProps } from '../parts/card.ts'
import { PasswordDialog } from '../parts/PasswordDialog.tsx'

/** Asks for one's own password before a sensitive change. */
export function CurrentPasswordCard(props: CardProps<'currentPassword'>) {
  const { question, onAnswer, onCancel } = props
  const { t } = useTranslation()
  return (
    <PasswordDialog
      title={t('prompts.currentPassword.title')}
      hint={t('prompts.currentPassword.hint')}
      username={session.user?.username ?? ''}
      label={t('prompts.currentPassword.label')}
      problem={question.isWrong ? t('prompts.currentPassword.wrong') : undefined}
      action={t('prompts.currentPassword.act')}
      cancel={t('common.cancel')}
      onPassword={onAnswer}
      onCancel={onCancel}
    />
  )
}
