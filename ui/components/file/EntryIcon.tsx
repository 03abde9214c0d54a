import type { ComponentProps, ReactNode } from 'react'
import { Checkmark } from '../icons/Checkmark.tsx'
import './EntryIcon.css'

interface EntryIconProps extends ComponentProps<'span'> {
  /** Set if the entry can be selected: the icon then has the mark. */
  isSelected?: boolean | undefined
  /** The thumbnail or the icon. */
  children: ReactNode
}

/** The box of a thumbnail or an icon at the start of a row. */
export function EntryIcon({ isSelected, children, ...native }: EntryIconProps) {
  return (
    <span {...native} className="EntryIcon">
      {children}
      {isSelected !== undefined && <Checkmark isSelected={isSelected} />}
    </span>
  )
}
