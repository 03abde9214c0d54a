import { useId, useState } from 'react'
import { Choices } from '#ui/components/controls/Choices.tsx'
import { Field } from '#ui/components/fields/Field.tsx'
import { Input } from '#ui/components/fields/Input.tsx'
import { Select } from '#ui/components/fields/Select.tsx'
import { formatMoment, formatNumber } from '#ui/i18n/format.ts'
import { useTranslation } from '#ui/i18n/i18n.ts'
import { SHARE_UNITS, type ShareUnit, shareLifetimeSec } from '#wire/api/share.ts'
import { LIMITS } from '#wire/limits.ts'
import { autofocus } from '../parts/autofocus.ts'
import './LifetimeField.css'

export interface Lifetime {
  /** As typed: valid are a whole number, and nothing for a share without an expiry. */
  amount: string
  unit: ShareUnit
}

interface LifetimeFieldProps {
  value: Lifetime
  onChange(value: Lifetime): void
}

/** The durations of the buttons, in days; empty: the share does not expire. */
const PRESETS = ['1', '7', '30', ''] as const

/** The choice of another duration. */
const OTHER = 'other'

// The keys of the table are its units; Object.keys widens them.
const UNITS = Object.keys(SHARE_UNITS) as ShareUnit[]

/** The duration of a share: common values as buttons, or any other duration. */
export function LifetimeField({ value, onChange }: LifetimeFieldProps) {
  const { t } = useTranslation()
  const hintId = useId()
  const [isOther, setIsOther] = useState(false)
  const { amount, unit } = value
  const lifetimeSec = shareLifetimeSec(amount, unit)
  const isInvalid = lifetimeSec === undefined
  return (
    <fieldset className="LifetimeField">
      <legend className="LifetimeField__label">{t('share.lasts')}</legend>
      <Choices
        options={[
          ...PRESETS.map((days) => ({
            value: days,
            label: days ? t('share.days', { count: Number(days) }) : t('share.never'),
          })),
          { value: OTHER, label: t('share.other') },
        ]}
        value={isOther ? OTHER : amount}
        onChange={(choice) => {
          setIsOther(choice === OTHER)
          if (choice !== OTHER) onChange({ amount: choice, unit: 'days' })
        }}
      />
      {isOther && (
        <Field label={t('share.duration')} state={isInvalid ? 'invalid' : undefined}>
          <span className="LifetimeField__duration">
            <Input
              value={amount}
              inputMode="numeric"
              aria-describedby={hintId}
              ref={autofocus}
              onChange={(event) => onChange({ amount: event.target.value, unit })}
            />
            <Select
              aria-label={t('share.unit')}
              value={unit}
              options={UNITS.map((one) => ({ value: one, label: t(`share.units.${one}`) }))}
              // The options of the select are the units.
              onChange={(event) => onChange({ amount, unit: event.target.value as ShareUnit })}
            />
          </span>
        </Field>
      )}
      <p
        className="LifetimeField__hint"
        id={hintId}
        data-invalid={isInvalid || undefined}
        aria-live="polite"
      >
        {hint()}
      </p>
    </fieldset>
  )

  function hint(): string {
    if (lifetimeSec === undefined) {
      return t('share.badDuration', { max: formatNumber(LIMITS.shareDurationMax) })
    }
    const end = lifetimeSec > 0 && formatMoment(new Date(Date.now() + lifetimeSec * 1000))
    return end ? t('share.until', { moment: end }) : t('share.noEnd')
  }
}
