import type { ComponentProps, ReactNode } from 'react'
import './Checkbox.css'

interface CheckboxProps extends Omit<ComponentProps<'input'>, 'type'> {
  /** The label beside the box; without it, `aria-label` is required. */
  children?: ReactNode
}

/** A native checkbox. */
export function Checkbox({ children, ...native }: CheckboxProps) {
  const box = <input {...native} type="checkbox" className="Checkbox" />
  if (!children) return box
  return (
    // biome-ignore lint/a11y/noLabelWithoutControl: the box is a variable
    <label className="Checkbox__label">
      {box}
      <span>{children}</span>
    </label>
  )
}
