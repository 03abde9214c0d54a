import type { ReactNode } from 'react'
import { Card } from '#ui/components/Card.tsx'
import { Logo } from '#ui/components/Logo.tsx'
import './AuthCard.css'

interface AuthCardProps {
  title: string
  children: ReactNode
  /** An alternative below the form. */
  alternative?: ReactNode
}

/** The card of the pages before sign-in. */
export function AuthCard({ title, children, alternative }: AuthCardProps) {
  return (
    <div className="AuthCard">
      <main className="AuthCard__main">
        <Card className="AuthCard__card">
          <div className="AuthCard__head">
            <Logo />
            <h1>{title}</h1>
          </div>
          {children}
          {alternative && <p className="AuthCard__alternative">{alternative}</p>}
        </Card>
      </main>
    </div>
  )
}
