import { useTranslation } from '#ui/i18n/i18n.ts'
import { hasPassword } from '#ui/state/session/reauth.ts'
import { session } from '#ui/state/session/session.ts'
import { ConfirmCard } from '../parts/ConfirmCard.tsx'
import type { CardProps } from '../parts/card.ts'
import { PasswordDialog } from '../parts/PasswordDialog.tsx'

/** Confirms the deletion of an account, with one's own password if users sign in with passwords. */
export function DeleteUserCard({ question, onAnswer, onCancel }: CardProps<'deleteUser'>) {
  const { t } = useTranslation()
  const { username, isWrong } = question
  const texts = {
    title: t('prompts.deleteUser.title', { name: username }),
    hint: t('prompts.deleteUser.hint'),
  }
  if (hasPassword()) {
    return (
      <PasswordDialog
        {...texts}
        username={session.user?.username ?? ''}
        label={t('prompts.currentPassword.label')}
        problem={isWrong ? t('prompts.currentPassword.wrong') : undefined}
        action={t('prompts.deleteUser.act')}
        tone="danger"
        cancel={t('common.cancel')}
        onPassword={onAnswer}
        onCancel={onCancel}
      />
    )
  }
  return (
    <ConfirmCard
      {...texts}
      action={t('prompts.deleteUser.act')}
      tone="danger"
      onConfirm={() => onAnswer('')}
      onCancel={onCancel}
    />
  )
}
