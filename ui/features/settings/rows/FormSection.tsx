import type { ReactNode } from 'react'
import './FormSection.css'

interface FormSectionProps {
  title: string
  hint?: string
  children: ReactNode
}

/** A section of a long form. */
export function FormSection({ title, hint, children }: FormSectionProps) {
  return (
    <section className="FormSection" aria-label={title}>
      <div>
        <h3 className="FormSection__title">{title}</h3>
        {hint && <p className="FormSection__hint">{hint}</p>}
      </div>
      {children}
    </section>
  )
}
