import { type ReactNode, useId } from 'react'
import './SettingRow.css'

/** Ids that associate a control with its label and description. */
export interface RowControl {
  id: string
  'aria-describedby': string | undefined
}

interface SettingRowProps {
  title: string
  hint?: ReactNode
  /** Why the value is invalid; it replaces the hint. */
  problem?: string | undefined
  /** Renders the control, which must receive the given props. */
  children(control: RowControl): ReactNode
}

/** One setting: its name, its description, and its control. A click on the row activates the control. */
export function SettingRow({ title, hint, problem, children }: SettingRowProps) {
  const id = useId()
  const hintId = useId()
  const description = problem ?? hint
  return (
    <div className="SettingRow" data-problem={problem ? true : undefined}>
      <div className="SettingRow__text">
        <label className="SettingRow__title" htmlFor={id}>
          {title}
        </label>
        {description && (
          <span className="SettingRow__hint" id={hintId} role={problem ? 'alert' : undefined}>
            {description}
          </span>
        )}
      </div>
      <div className="SettingRow__control">
        {children({ id, 'aria-describedby': description ? hintId : undefined })}
      </div>
    </div>
  )
}
