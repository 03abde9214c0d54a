import { useEffect, useState } from 'react'
import { DateInput } from '#ui/components/fields/DateInput.tsx'
import { Select } from '#ui/components/fields/Select.tsx'
import { formatNumber } from '#ui/i18n/format.ts'
import { useTranslation } from '#ui/i18n/i18n.ts'
import { addDays, dayOf } from '#ui/lib/text/calendar.ts'
import { usersWithoutFactor } from '#ui/state/administration/required-factor.ts'
import { type GlobalSettings, SECOND_FACTOR_FOR } from '#wire/api/settings.ts'
import { LIMITS } from '#wire/limits.ts'
import { SettingRow } from '../rows/SettingRow.tsx'

type Required = Pick<GlobalSettings, 'secondFactorFor' | 'secondFactorFrom'>

interface RequiredFactorRowsProps {
  value: Required
  onChange(changes: Partial<Required>): void
}

/** Who must have a second factor, from when, and how many of these users have none yet. */
export function RequiredFactorRows({ value, onChange }: RequiredFactorRowsProps) {
  const { t } = useTranslation()
  const { secondFactorFor, secondFactorFrom } = value
  const [missing, setMissing] = useState<number>()

  useEffect(() => {
    setMissing(undefined)
    if (secondFactorFor === 'none') return
    let isCurrent = true
    // Without the number, the row has its hint.
    usersWithoutFactor(secondFactorFor).then(
      (count) => isCurrent && setMissing(count),
      () => undefined,
    )
    return () => {
      isCurrent = false
    }
  }, [secondFactorFor])

  const count =
    missing !== undefined && t('settings.secondFactor.missing', { value: formatNumber(missing) })
  return (
    <>
      <SettingRow
        title={t('settings.secondFactor.required')}
        hint={[t('settings.secondFactor.requiredHint'), count].filter(Boolean).join(' ')}
      >
        {(control) => (
          <Select
            {...control}
            value={secondFactorFor}
            options={SECOND_FACTOR_FOR.map((who) => ({
              value: who,
              label: t(`settings.secondFactor.${who}`),
            }))}
            onChange={(event) => {
              // The options of the select are the choices.
              const chosen = event.target.value as Required['secondFactorFor']
              const day = secondFactorFrom || addDays(dayOf(new Date()), LIMITS.secondFactorDays)
              onChange({
                secondFactorFor: chosen,
                secondFactorFrom: chosen === 'none' ? '' : day,
              })
            }}
          />
        )}
      </SettingRow>
      {secondFactorFor !== 'none' && (
        <SettingRow title={t('settings.secondFactor.from')}>
          {(control) => (
            <DateInput
              {...control}
              value={secondFactorFrom}
              onChange={(day) => onChange({ secondFactorFrom: day })}
            />
          )}
        </SettingRow>
      )}
    </>
  )
}
