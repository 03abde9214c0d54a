import type { ChangeEvent, MouseEvent, ReactNode } from 'react'
import { Checkbox } from '#ui/components/fields/Checkbox.tsx'
import { useTranslation } from '#ui/i18n/i18n.ts'
import type { Entry } from '#wire/api/entry.ts'

interface ChoosableProps {
  entry: Entry
  isSelected: boolean
  className: string
  /** The class of the element around the checkbox; without it, the checkbox has none. */
  boxClassName?: string
  width?: number
  onChoose(entry: Entry, hasShift: boolean): void
  children: ReactNode
}

/** An entry in the selection mode: a click chooses it; with Shift, all entries up to it. */
export function Choosable(props: ChoosableProps) {
  const { entry, isSelected, className, boxClassName, width, onChoose, children } = props
  const { t } = useTranslation()
  /** Not every browser passes a click with Shift on to the checkbox, and it would select text of the page. */
  function onClick(event: MouseEvent): void {
    if (!event.shiftKey) return
    event.preventDefault()
    onChoose(entry, true)
  }
  /** A click on the checkbox changes it before the label sees the click. */
  function onChange({ nativeEvent }: ChangeEvent): void {
    const hasShift = 'shiftKey' in nativeEvent && nativeEvent.shiftKey === true
    if (!hasShift) onChoose(entry, false)
  }
  const box = (
    <Checkbox
      checked={isSelected}
      aria-label={t('share.selectOf', { name: entry.name })}
      onChange={onChange}
    />
  )
  return (
    // biome-ignore lint/a11y/noLabelWithoutControl: the checkbox is a child
    // biome-ignore lint/a11y/useKeyWithClickEvents: the checkbox has the keys
    <label
      className={className}
      style={width === undefined ? undefined : { inlineSize: width }}
      data-selected={isSelected || undefined}
      onMouseDown={(event) => event.shiftKey && event.preventDefault()}
      onClick={onClick}
    >
      {boxClassName ? <span className={boxClassName}>{box}</span> : box}
      {children}
    </label>
  )
}
