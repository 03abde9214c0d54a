import type { ReactNode } from 'react'
import { Icon, type IconName } from '#ui/components/icons/Icon.tsx'
import './AccessRow.css'

interface AccessRowProps {
  icon?: IconName
  /** The first line: whose access it is, and its marks. */
  name: ReactNode
  /** The full description of the name, as a tooltip. */
  nameTitle?: string
  /** The second line; a separator is at the end of each element, so a text with a direction of its own needs one around it. */
  facts: ReactNode
  /** Why it gives no access. */
  problem?: string | undefined
  /** The buttons. */
  children: ReactNode
}

/** A row with two lines and buttons, such as for something that gives access to an account: a session or an app password. */
export function AccessRow({ icon, name, nameTitle, facts, problem, children }: AccessRowProps) {
  return (
    <li className="AccessRow">
      {icon && <Icon name={icon} />}
      <div className="AccessRow__text">
        <span className="AccessRow__name" title={nameTitle}>
          {name}
        </span>
        <span className="AccessRow__facts">{facts}</span>
        {problem && <span className="AccessRow__problem">{problem}</span>}
      </div>
      {children}
    </li>
  )
}
