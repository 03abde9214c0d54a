import type { ReactNode } from 'react'
import './Badge.css'

interface BadgeProps {
  tone?: 'success' | 'warning' | 'accent'
  children: ReactNode
}

/** A short label in the shape of a pill. */
export function Badge({ tone, children }: BadgeProps) {
  return (
    <span className="Badge" data-tone={tone}>
      {children}
    </span>
  )
}
