import { useState } from 'react'
import { Button } from '#ui/components/controls/Button.tsx'
import { Field } from '#ui/components/fields/Field.tsx'
import { Select } from '#ui/components/fields/Select.tsx'
import { Dialog } from '#ui/components/overlays/Dialog.tsx'
import { useTranslation } from '#ui/i18n/i18n.ts'
import { archiveKindOf, withoutEnding } from '#wire/formats/archives.ts'
import { NAME_ENCODINGS, type NameEncoding } from '#wire/name-encodings.ts'
import { autofocus } from '../parts/autofocus.ts'
import type { CardProps } from '../parts/card.ts'

/** The value of the option that lets the server guess. */
const AUTOMATIC = ''

/** Asks where an archive is extracted: beside it, or into a new folder; and for the encoding of the names in a zip. */
export function ExtractCard({ question, onAnswer, onCancel }: CardProps<'extract'>) {
  const { t } = useTranslation()
  const [encoding, setEncoding] = useState<NameEncoding>()
  const { entryName: name } = question
  const folder = withoutEnding(name)
  const answer = (into: 'here' | 'folder') => onAnswer({ into, ...(encoding && { encoding }) })
  return (
    <Dialog
      title={t('prompts.extract.title', { name })}
      hint={t('prompts.extract.hint', { folder })}
      onClose={onCancel}
      actions={
        <>
          <Button onClick={onCancel}>{t('common.cancel')}</Button>
          <Button onClick={() => answer('here')}>{t('prompts.extract.here')}</Button>
          <Button tone="accent" ref={autofocus} onClick={() => answer('folder')}>
            {t('prompts.extract.folder')}
          </Button>
        </>
      }
    >
      {archiveKindOf(name) === 'zip' && (
        <Field label={t('table.encoding')}>
          <Select
            value={encoding ?? AUTOMATIC}
            onChange={({ currentTarget: { value } }) =>
              setEncoding(NAME_ENCODINGS.find((known) => known === value))
            }
            options={[
              { value: AUTOMATIC, label: t('listing.automatic') },
              ...NAME_ENCODINGS.map((value) => ({ value, label: LABELS[value] })),
            ]}
          />
        </Field>
      )}
    </Dialog>
  )
}

/** Names of standards, which are the same in every language. */
const LABELS: Record<NameEncoding, string> = {
  cp437: 'CP437',
  cp866: 'CP866',
  cp1251: 'Windows-1251',
  gbk: 'GBK',
  big5: 'Big5',
  shift_jis: 'Shift_JIS',
  'euc-kr': 'EUC-KR',
  'utf-8': 'UTF-8',
}
