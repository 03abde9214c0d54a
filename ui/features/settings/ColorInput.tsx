import { useEffect, useRef } from 'react'
import { Input } from '#ui/components/Input.tsx'
import { useTranslation } from '#ui/i18n/i18n.ts'
import { hexOf, isColor } from '#ui/lib/color.ts'
import type { RowControl } from './SettingRow.tsx'
import './ColorInput.css'

interface ColorInputProps extends RowControl {
  /** A CSS colour; empty for the product's own. */
  value: string
  onChange(color: string): void
}

/** A colour by its CSS name or by eye, and how the interface makes use of it. */
export function ColorInput({ value, onChange, ...control }: ColorInputProps) {
  const { t } = useTranslation()
  const swatch = useRef<HTMLSpanElement>(null)
  const text = useRef<HTMLInputElement>(null)
  const valid = value === '' || isColor(value)

  useEffect(() => {
    // The policy of the page forbids inline styles, but not this.
    if (valid && value) swatch.current?.style.setProperty('--color', value)
    else swatch.current?.style.removeProperty('--color')
    text.current?.setCustomValidity(valid ? '' : t('settings.branding.color.bad'))
  }, [value, valid, t])

  return (
    <Input
      {...control}
      ref={text}
      dir="ltr"
      autoCapitalize="none"
      autoComplete="off"
      spellCheck={false}
      placeholder={t('settings.branding.color.none')}
      aria-invalid={!valid}
      value={value}
      onChange={(event) => onChange(event.target.value)}
      after={
        <span className="ColorInput" ref={swatch}>
          <input
            type="color"
            aria-label={t('settings.branding.color.pick')}
            title={t('settings.branding.color.pick')}
            value={hexOf(value)}
            onChange={(event) => onChange(event.target.value)}
          />
        </span>
      }
    />
  )
}
