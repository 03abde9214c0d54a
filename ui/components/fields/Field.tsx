import { type ReactNode, useId } from 'react'
import { FieldControl } from './field-control.ts'
import './Field.css'

interface FieldProps {
  label: string
  /** Describes the control, or says why its value is invalid. Screen readers announce each change of it. */
  hint?: ReactNode
  state?: 'ok' | 'invalid' | undefined
  /**
   * The control. An `Input` or a `TextArea` in it gets the label as its name, the hint as its description, and
   * `aria-invalid`. Any other control gets only its name, from the label element around it.
   */
  children: ReactNode
}

/** A labelled control with a hint below. */
export function Field({ label, hint, state, children }: FieldProps) {
  const labelId = useId()
  const hintId = useId()
  return (
    <div className="Field" data-state={state}>
      {/* biome-ignore lint/a11y/noLabelWithoutControl: the control is the child */}
      <label>
        <span className="Field__label" id={labelId}>
          {label}
        </span>
        <FieldControl
          value={{
            'aria-labelledby': labelId,
            'aria-describedby': hint ? hintId : undefined,
            'aria-invalid': state === 'invalid' || undefined,
          }}
        >
          {children}
        </FieldControl>
      </label>
      {/* Without a hint it exists too: screen readers do not announce text that appears together with its live region. */}
      <span className="Field__hint" id={hintId} aria-live="polite">
        {hint}
      </span>
    </div>
  )
}
