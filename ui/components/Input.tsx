import type { ComponentProps, ReactNode } from 'react'
import './Input.css'

interface InputProps extends ComponentProps<'input'> {
  /** A button or an icon inside the box, after the text. */
  after?: ReactNode
}

/** A native input in a box. */
export function Input({ after, ...native }: InputProps) {
  return (
    <span className="Input" data-disabled={native.disabled || undefined}>
      <input {...native} className="Input__text" />
      {after}
    </span>
  )
}
