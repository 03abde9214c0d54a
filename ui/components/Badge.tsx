import type { ReactNode } from 'react'
import './Badge.css'

interface BadgeProps {
  tone?: 'success' | 'warning' | 'accent'
  children: ReactNode
}

/** A short word on a pill. */
export function Badge({ tone, children }: BadgeProps) {
  return (
    <span className="Badge" data-tone={tone}>
      {children}
    </span>
  )
}
