import { Button } from '#ui/components/controls/Button.tsx'
import { Dialog } from '#ui/components/overlays/Dialog.tsx'
import { formatNumber } from '#ui/i18n/format.ts'
import { useTranslation } from '#ui/i18n/i18n.ts'
import { session } from '#ui/state/session/session.ts'
import { permits } from '#wire/permissions.ts'
import type { CardProps } from '../parts/card.ts'

/** Asks what to do with the files of an archive whose names are taken: one decision for all. */
export function ExtractTakenCard({ question, onAnswer, onCancel }: CardProps<'extractTaken'>) {
  const { t } = useTranslation()
  const { count, entryName: name } = question
  const mayReplace = session.user !== null && permits(session.user.perm, 'overwrite')
  return (
    <Dialog
      title={t('prompts.extract.taken', { count, value: formatNumber(count), name })}
      hint={t('prompts.extract.takenHint')}
      onClose={onCancel}
      actions={
        <>
          <Button onClick={onCancel}>{t('common.cancel')}</Button>
          <Button onClick={() => onAnswer('skip')}>{t('prompts.collision.skip')}</Button>
          <Button onClick={() => onAnswer('keepBoth')}>{t('prompts.collision.keepBoth')}</Button>
          {mayReplace && (
            <Button tone="accent" onClick={() => onAnswer('replace')}>
              {t('prompts.collision.replace')}
            </Button>
          )}
        </>
      }
    />
  )
}
