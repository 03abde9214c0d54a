import { useTranslation } from '#ui/i18n/i18n.ts'
import type { TusSettings } from '#wire/api/settings.ts'
import { LIMITS } from '#wire/limits.ts'
import { ChunkSizeInput } from '../inputs/ChunkSizeInput.tsx'
import { NumberInput } from '../inputs/NumberInput.tsx'
import { SettingGroup } from '../rows/SettingGroup.tsx'
import { SettingRow } from '../rows/SettingRow.tsx'

interface UploadsGroupProps {
  value: TusSettings
  onChange(tus: TusSettings): void
}

/** Settings of uploads. */
export function UploadsGroup({ value, onChange }: UploadsGroupProps) {
  const { t } = useTranslation()
  return (
    <SettingGroup title={t('settings.uploads.title')}>
      <SettingRow
        title={t('settings.uploads.chunkSize.title')}
        hint={t('settings.uploads.chunkSize.hint')}
      >
        {(control) => (
          <ChunkSizeInput
            {...control}
            bytes={value.chunkSize}
            onApply={(chunkSize) => onChange({ ...value, chunkSize })}
          />
        )}
      </SettingRow>
      <SettingRow
        title={t('settings.uploads.retryCount.title')}
        hint={t('settings.uploads.retryCount.hint')}
      >
        {(control) => (
          <NumberInput
            {...control}
            min={0}
            max={LIMITS.retryMax}
            value={value.retryCount}
            onChange={(retryCount) => onChange({ ...value, retryCount })}
          />
        )}
      </SettingRow>
    </SettingGroup>
  )
}
