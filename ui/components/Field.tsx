import type { ReactNode } from 'react'
import './Field.css'

interface FieldProps {
  label: string
  hint?: ReactNode
  state?: 'ok' | 'invalid' | undefined
  /** The control; the label element around it names it. */
  children: ReactNode
}

/** A labelled control with a hint below. */
export function Field({ label, hint, state, children }: FieldProps) {
  return (
    // biome-ignore lint/a11y/noLabelWithoutControl: the control is the child
    <label className="Field" data-state={state}>
      <span className="Field__label">{label}</span>
      {children}
      {hint && (
        <span className="Field__hint" aria-live="polite">
          {hint}
        </span>
      )}
    </label>
  )
}
