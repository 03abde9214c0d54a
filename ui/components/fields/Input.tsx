import { type ComponentProps, type ReactNode, useContext } from 'react'
import { FieldControl } from './field-control.ts'
import './Input.css'

interface InputProps extends ComponentProps<'input'> {
  /** A button or an icon inside the box, after the text. */
  after?: ReactNode
}

/** A native input in a box. */
export function Input({ after, ...native }: InputProps) {
  return (
    <span className="Input" data-disabled={native.disabled || undefined}>
      <input {...useContext(FieldControl)} {...native} className="Input__text" />
      {after}
    </span>
  )
}
