import { type ReactNode, useId } from 'react'
import './SettingRow.css'

/** What ties a control to the words beside it. */
export interface RowControl {
  id: string
  'aria-describedby': string | undefined
}

interface SettingRowProps {
  title: string
  hint?: ReactNode
  /** Why it cannot be so; it takes the place of the hint. */
  problem?: string | undefined
  /** The control; spread what it is given onto it. */
  children(control: RowControl): ReactNode
}

/** One setting: its name, what it means, and its control. All of the row belongs to the control. */
export function SettingRow({ title, hint, problem, children }: SettingRowProps) {
  const id = useId()
  const hintId = useId()
  const words = problem ?? hint
  return (
    <div className="SettingRow" data-problem={problem ? true : undefined}>
      <div className="SettingRow__words">
        <label className="SettingRow__title" htmlFor={id}>
          {title}
        </label>
        {words && (
          <span className="SettingRow__hint" id={hintId} role={problem ? 'alert' : undefined}>
            {words}
          </span>
        )}
      </div>
      <div className="SettingRow__control">
        {children({ id, 'aria-describedby': words ? hintId : undefined })}
      </div>
    </div>
  )
}
