import { useEffect, useRef } from 'react'
import { Input } from '#ui/components/fields/Input.tsx'
import { useTranslation } from '#ui/i18n/i18n.ts'
import { hexOf, isColor } from '#ui/lib/page/color.ts'
import type { RowControl } from '../rows/SettingRow.tsx'
import './ColorInput.css'

interface ColorInputProps extends RowControl {
  /** A CSS colour; empty for the default. */
  value: string
  onChange(color: string): void
}

/** A colour as CSS text or from a colour picker, with a preview in the interface. */
export function ColorInput({ value, onChange, ...control }: ColorInputProps) {
  const { t } = useTranslation()
  const swatch = useRef<HTMLSpanElement>(null)
  const text = useRef<HTMLInputElement>(null)
  const isValid = value === '' || isColor(value)

  useEffect(() => {
    // The Content-Security-Policy forbids inline style attributes, but allows this.
    if (isValid && value) swatch.current?.style.setProperty('--color', value)
    else swatch.current?.style.removeProperty('--color')
    text.current?.setCustomValidity(isValid ? '' : t('settings.branding.color.bad'))
  }, [value, isValid, t])

  return (
    <Input
      {...control}
      ref={text}
      dir="ltr"
      autoCapitalize="none"
      autoComplete="off"
      spellCheck={false}
      placeholder={t('settings.branding.color.none')}
      aria-invalid={!isValid}
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
