import { useTranslation } from '#ui/i18n/i18n.ts'
import { TEXT_ENCODINGS } from '#ui/lib/text/encodings.ts'
import { Select } from './Select.tsx'

interface EncodingSelectProps {
  /** A label of the Encoding standard. */
  value: string
  onChange(encoding: string): void
}

/** The choice of the encoding of a text. */
export function EncodingSelect({ value, onChange }: EncodingSelectProps) {
  const { t } = useTranslation()
  return (
    <Select
      aria-label={t('table.encoding')}
      value={value}
      options={TEXT_ENCODINGS.map((one) => ({ value: one, label: one.toUpperCase() }))}
      onChange={({ target }) => onChange(target.value)}
    />
  )
}
