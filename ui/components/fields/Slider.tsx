import { type CSSProperties, useState } from 'react'
import './Slider.css'

interface SliderProps {
  label: string
  value: number
  max: number
  step: number
  /** How far an arrow key moves; without it, one step. */
  keyStep?: number
  /** The value in words, for assistive technology. */
  text: string
  /** The end of the part that is already loaded. */
  loaded?: number
  disabled?: boolean
  onChange(value: number): void
}

/** A slider of a player: a position or a volume. Its start is at the left in every language, as in other players. */
export function Slider({
  label,
  value,
  max,
  step,
  keyStep,
  text,
  loaded = 0,
  disabled,
  onChange,
}: SliderProps) {
  // The player reports a new value later: until then the chosen value is shown.
  const [choice, setChoice] = useState<{ chosen: number; before: number }>()
  if (choice && choice.before !== value) setChoice(undefined)
  const shown = choice?.before === value ? choice.chosen : value
  const percentOf = (part: number) => (max > 0 ? `${Math.min(100, (part / max) * 100)}%` : '0%')
  function choose(chosen: number): void {
    setChoice({ chosen, before: value })
    onChange(chosen)
  }

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
      style={
        { '--slider-at': percentOf(shown), '--slider-loaded': percentOf(loaded) } as CSSProperties
      }
      onChange={(event) => choose(event.target.valueAsNumber)}
      onKeyDown={(event) => {
        const direction = DIRECTIONS[event.key]
        if (keyStep === undefined || direction === undefined) return
        event.preventDefault()
        event.stopPropagation()
        choose(Math.min(max, Math.max(0, shown + direction * keyStep)))
      }}
    />
  )
}

/** Whether an arrow key increases (1) or decreases (-1) the value. */
const DIRECTIONS: Record<string, number> = {
  ArrowLeft: -1,
  ArrowDown: -1,
  ArrowRight: 1,
  ArrowUp: 1,
}
