import type { ReactNode, Ref } from 'react'
import './SettingGroup.css'

interface SettingGroupProps {
  title: string
  hint?: string
  /** A button beside the title. */
  action?: ReactNode
  /** The group on the page. */
  ref?: Ref<HTMLElement>
  /** Rows, fields and footer, divided by hairlines. */
  children: ReactNode
}

/** A group of related settings. */
export function SettingGroup({ title, hint, action, ref, children }: SettingGroupProps) {
  return (
    <section className="SettingGroup" aria-label={title} ref={ref}>
      <div className="SettingGroup__head">
        <h3 className="SettingGroup__title">{title}</h3>
        {action}
      </div>
      {hint && <p className="SettingGroup__hint">{hint}</p>}
      <div className="SettingGroup__sheet">{children}</div>
    </section>
  )
}

/** Fields side by side, two if the width is sufficient. */
export function SettingFields({ children }: { children: ReactNode }) {
  return <div className="SettingGroup__fields">{children}</div>
}

interface SettingFooterProps {
  hint?: ReactNode
  children: ReactNode
}

/** The buttons below a group. */
export function SettingFooter({ hint, children }: SettingFooterProps) {
  return (
    <div className="SettingGroup__footer">
      {hint && <span className="SettingGroup__note">{hint}</span>}
      {children}
    </div>
  )
}
