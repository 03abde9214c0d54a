import type { ComponentProps, ReactNode } from 'react'
import { Icon, type IconName } from '../icons/Icon.tsx'
import './FactList.css'

/** A list below the facts of an entry. */
export function FactList({ children }: { children: ReactNode }) {
  return <ul className="FactList">{children}</ul>
}

interface FactRowProps {
  icon: IconName
  title: ReactNode
  /** The line below it. */
  facts: ReactNode
  /** Whether it is about something that was refused. */
  isRefused?: boolean
}

/** A row of the list. */
export function FactRow({ icon, title, facts, isRefused = false }: FactRowProps) {
  return (
    <li className="FactList__row" data-refused={isRefused || undefined}>
      <Icon name={icon} />
      <span className="FactList__text">
        {title}
        {facts}
      </span>
    </li>
  )
}

/** A text in place of the list, or below it. */
export function FactNote(native: ComponentProps<'p'>) {
  return <p {...native} className="FactList__note" />
}
