import type { ComponentProps, ReactNode } from 'react'
import './EntryLabel.css'

interface EntryLabelProps extends ComponentProps<'span'> {
  /** The line below the name. */
  sub: ReactNode
  /** Whether wide windows show the line too. They have columns instead in most lists. */
  isSubAlways?: boolean
  /** The name. */
  children: ReactNode
}

/** The name of an entry in a row, and the line below it. */
export function EntryLabel({ sub, isSubAlways = false, children, ...native }: EntryLabelProps) {
  return (
    <span {...native} className="EntryLabel">
      {children}
      <span className={isSubAlways ? 'EntryLabel__sub' : 'EntryLabel__sub narrow-only'}>{sub}</span>
    </span>
  )
}
