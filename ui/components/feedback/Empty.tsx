import type { ReactNode } from 'react'
import './Empty.css'

interface EmptyProps {
  picture: ReactNode
  title: string
  hint: string
  actions?: ReactNode
  /** A small line below, such as a status code. */
  code?: string | undefined
}

/** A page without content: one friendly sentence and the available actions. */
export function Empty({ picture, title, hint, actions, code }: EmptyProps) {
  return (
    <div className="Empty">
      {picture}
      <h2 className="Empty__title">{title}</h2>
      <p className="Empty__hint">{hint}</p>
      {actions && <div className="Empty__actions">{actions}</div>}
      {code && <p className="Empty__code">{code}</p>}
    </div>
  )
}
