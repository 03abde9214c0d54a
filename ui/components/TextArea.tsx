import type { ComponentProps } from 'react'
import './TextArea.css'

/** A native text area in the box of an input; it grows with its content. */
export function TextArea(native: ComponentProps<'textarea'>) {
  return <textarea {...native} className="TextArea" />
}
