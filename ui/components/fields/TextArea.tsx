import { type ComponentProps, useContext } from 'react'
import { FieldControl } from './field-control.ts'
import './TextArea.css'

/** A native text area that looks like an `Input`. It grows with its content, if the browser can do that. */
export function TextArea(native: Omit<ComponentProps<'textarea'>, 'className'>) {
  return <textarea {...useContext(FieldControl)} {...native} className="TextArea" />
}
