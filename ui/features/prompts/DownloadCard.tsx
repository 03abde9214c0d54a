import { type FormEvent, useState } from 'react'
import { Button } from '#ui/components/Button.tsx'
import { Dialog } from '#ui/components/Dialog.tsx'
import { Notice } from '#ui/components/Notice.tsx'
import { formatNumber } from '#ui/i18n/format.ts'
import { useTranslation } from '#ui/i18n/i18n.ts'
import { ARCHIVE_FORMATS, ARCHIVE_TOKENS } from '#ui/lib/archive-formats.ts'
import { layout } from '#ui/state/layout.ts'
import type { CardProps } from './card.ts'
import './DownloadCard.css'

/** Which kind of archive? The one chosen last is offered again. */
export function DownloadCard({ question, onAnswer, onCancel }: CardProps<'download'>) {
  const { t } = useTranslation()
  const [format, setFormat] = useState(layout.archiveFormat)
  const { of: name, count, leftOut = 0 } = question
  const title =
    count === 'all'
      ? t('prompts.download.titleAll', { name })
      : t('prompts.download.title', { count, name, value: formatNumber(count) })

  function submit(event: FormEvent): void {
    event.preventDefault()
    layout.archiveFormat = format
    onAnswer(format)
  }

  return (
    <Dialog
      title={title}
      hint={t('prompts.download.hint')}
      onClose={onCancel}
      actions={
        <>
          <Button onClick={onCancel}>{t('common.cancel')}</Button>
          <Button tone="accent" type="submit" form={FORM} data-autofocus>
            {t('prompts.download.act')}
          </Button>
        </>
      }
    >
      <form id={FORM} onSubmit={submit}>
        <fieldset className="DownloadCard">
          <legend className="visually-hidden">{t('prompts.download.format')}</legend>
          {ARCHIVE_TOKENS.map((one) => (
            <label key={one} className="DownloadCard__format">
              <input
                className="DownloadCard__radio"
                type="radio"
                name="format"
                value={one}
                checked={one === format}
                onChange={() => setFormat(one)}
              />
              <span className="DownloadCard__name">{ARCHIVE_FORMATS[one]}</span>
              <span className="DownloadCard__about">{t(`prompts.download.about.${one}`)}</span>
            </label>
          ))}
        </fieldset>
        {leftOut > 0 && (
          <Notice>
            {t('prompts.download.leftOut', { count: leftOut, value: formatNumber(leftOut) })}
          </Notice>
        )}
      </form>
    </Dialog>
  )
}

const FORM = 'download-format'
