import { Button } from '#ui/components/controls/Button.tsx'
import { Dialog } from '#ui/components/overlays/Dialog.tsx'
import { useTranslation } from '#ui/i18n/i18n.ts'
import { session } from '#ui/state/session/session.ts'
import type { CardProps } from '../parts/card.ts'

/** Asks whether sessions should end: one's own elsewhere, or those of another user. */
export function EndSessionsCard({ question, onAnswer, onCancel }: CardProps<'endSessions'>) {
  const { t } = useTranslation()
  const { sessions } = question
  const count = sessions.length
  const foreignSession = sessions.find(({ userID }) => userID !== session.user?.id)
  return (
    <Dialog
      title={
        foreignSession
          ? t('prompts.endSessions.titleOf', { name: foreignSession.username ?? '' })
          : t('prompts.endSessions.title', { count })
      }
      hint={t('prompts.endSessions.hint')}
      onClose={onCancel}
      actions={
        <>
          <Button onClick={onCancel}>{t('common.cancel')}</Button>
          <Button tone="danger" onClick={() => onAnswer(true)}>
            {t('prompts.endSessions.act', { count })}
          </Button>
        </>
      }
    />
  )
}
