import { type ComponentProps, useContext } from 'react'
import { FieldControl } from './field-control.ts'
import './TextArea.css'

/** A native text area in the box of an input; it grows with its content. */
export function TextArea(native: ComponentProps<'textarea'>) {
  return <textarea {...useContext(FieldControl)} {...native} className="TextArea" />
}
