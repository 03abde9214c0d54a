import { useTranslation } from '#ui/i18n/i18n.ts'
import { session } from '#ui/state/session/session.ts'
import { ConfirmCard } from '../parts/ConfirmCard.tsx'
import type { CardProps } from '../parts/card.ts'

/** Asks whether sessions should end: one's own elsewhere, or those of another user. */
export function EndSessionsCard({ question, onAnswer, onCancel }: CardProps<'endSessions'>) {
  const { t } = useTranslation()
  const { sessions } = question
  const count = sessions.length
  const foreignSession = sessions.find(({ userID }) => userID !== session.user?.id)
  return (
    <ConfirmCard
      title={
        foreignSession
          ? t('prompts.endSessions.titleOf', { name: foreignSession.username ?? '' })
          : t('prompts.endSessions.title', { count })
      }
      hint={t('prompts.endSessions.hint')}
      action={t('prompts.endSessions.act', { count })}
      tone="danger"
      onConfirm={() => onAnswer(true)}
      onCancel={onCancel}
    />
  )
}
