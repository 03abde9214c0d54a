import type { ReactNode } from 'react'
import './Part.css'

interface PartProps {
  title: string
  hint?: string
  children: ReactNode
}

/** A chapter of a long form. */
export function Part({ title, hint, children }: PartProps) {
  return (
    <section className="Part" aria-label={title}>
      <div>
        <h3 className="Part__title">{title}</h3>
        {hint && <p className="Part__hint">{hint}</p>}
      </div>
      {children}
    </section>
  )
}
