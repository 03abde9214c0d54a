import { type FormEvent, useState } from 'react'
import { Notice } from '#ui/components/feedback/Notice.tsx'
import { formatNumber } from '#ui/i18n/format.ts'
import { useTranslation } from '#ui/i18n/i18n.ts'
import { layout } from '#ui/state/view/layout.ts'
import {
  ARCHIVE_ENDINGS,
  ARCHIVE_FORMAT_NAMES,
  type ArchiveFormatName,
} from '#wire/formats/archive-formats.ts'
import { ConfirmCard } from './ConfirmCard.tsx'
import './FormatCard.css'

interface FormatCardProps {
  title: string
  hint: string
  action: string
  /** The number of broken symlinks, which are left out. */
  leftOut?: number
  onAnswer(format: ArchiveFormatName): void
  onCancel(): void
}

/** Asks for the format of an archive. The default is the last choice. */
export function FormatCard({
  title,
  hint,
  action,
  leftOut = 0,
  onAnswer,
  onCancel,
}: FormatCardProps) {
  const { t } = useTranslation()
  const [format, setFormat] = useState(layout.archiveFormat)

  function submit(event: FormEvent): void {
    event.preventDefault()
    layout.archiveFormat = format
    onAnswer(format)
  }

  return (
    <ConfirmCard title={title} hint={hint} action={action} form={FORM} isFirst onCancel={onCancel}>
      <form id={FORM} onSubmit={submit}>
        <fieldset className="FormatCard">
          <legend className="visually-hidden">{t('prompts.download.format')}</legend>
          {ARCHIVE_FORMAT_NAMES.map((one) => (
            <label key={one} className="FormatCard__format">
              <input
                className="FormatCard__radio"
                type="radio"
                name="format"
                value={one}
                checked={one === format}
                onChange={() => setFormat(one)}
              />
              <span className="FormatCard__name">{ARCHIVE_ENDINGS[one]}</span>
              <span className="FormatCard__about">{t(`prompts.download.about.${one}`)}</span>
            </label>
          ))}
        </fieldset>
        {leftOut > 0 && (
          <Notice>
            {t('prompts.download.leftOut', { count: leftOut, value: formatNumber(leftOut) })}
          </Notice>
        )}
      </form>
    </ConfirmCard>
  )
}

const FORM = 'archive-format'
