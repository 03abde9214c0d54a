import { Button } from '#ui/components/Button.tsx'
import { Dialog } from '#ui/components/Dialog.tsx'
import { Icon } from '#ui/components/Icon.tsx'
import { useTranslation } from '#ui/i18n/i18n.ts'
import { autofocus } from './autofocus.ts'
import type { CardProps } from './card.ts'
import './UploadCard.css'

const CHOICES = [
  { answer: 'files', icon: 'file-plus' },
  { answer: 'folder', icon: 'folder-up' },
] as const

export function UploadCard({ onAnswer, onCancel }: CardProps<'upload'>) {
  const { t } = useTranslation()
  return (
    <Dialog
      title={t('prompts.upload.title')}
      hint={t('prompts.upload.hint')}
      onClose={onCancel}
      actions={<Button onClick={onCancel}>{t('common.cancel')}</Button>}
    >
      <div className="UploadCard">
        {CHOICES.map(({ answer, icon }, at) => (
          <button
            key={answer}
            type="button"
            className="UploadCard__choice"
            ref={at === 0 ? autofocus : null}
            onClick={() => onAnswer(answer)}
          >
            <Icon name={icon} />
            <span>{t(`prompts.upload.${answer}`)}</span>
          </button>
        ))}
      </div>
    </Dialog>
  )
}
