import type { ReactNode } from 'react'
import { Icon } from '../icons/Icon.tsx'
import './Notice.css'

/** A message above a form. */
export function Notice({ tone, children }: { tone?: 'danger'; children: ReactNode }) {
  return (
    <p className="Notice" data-tone={tone} role={tone ? 'alert' : 'status'}>
      <Icon name={tone ? 'circle-alert' : 'info'} />
      {children}
    </p>
  )
}
