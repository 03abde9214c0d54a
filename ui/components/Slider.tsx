import { type CSSProperties, useState } from 'react'
import './Slider.css'

interface SliderProps {
  label: string
  value: number
  max: number
  step: number
  /** The value in words, for assistive technology. */
  text: string
  /** The end of the part that is already loaded. */
  loaded?: number
  disabled?: boolean
  onChange(value: number): void
}

/** A slider of a player: a position, or a volume. It begins at the left in every language, like time in all players. */
export function Slider({
  label,
  value,
  max,
  step,
  text,
  loaded = 0,
  disabled,
  onChange,
}: SliderProps) {
  // The player reports a new value later: until then the chosen one is shown.
  const [choice, setChoice] = useState({ chosen: value, before: value })
  const shown = choice.before === value ? choice.chosen : value
  const share = (part: number) => (max > 0 ? `${Math.min(100, (part / max) * 100)}%` : '0%')
  return (
    <input
      type="range"
      dir="ltr"
      className="Slider"
      aria-label={label}
      aria-valuetext={text}
      min={0}
      max={max}
      step={step}
      value={Math.min(shown, max)}
      disabled={disabled}
      style={{ '--slider-at': share(shown), '--slider-loaded': share(loaded) } as CSSProperties}
      onChange={(event) => {
        const chosen = event.target.valueAsNumber
        setChoice({ chosen, before: value })
        onChange(chosen)
      }}
    />
  )
}
