import type { ReactNode } from 'react'
import { Card } from '#ui/components/Card.tsx'
import { Logo } from '#ui/components/Logo.tsx'
import './AuthCard.css'

interface AuthCardProps {
  title: string
  children: ReactNode
  /** Another way in, below the form. */
  alternative?: ReactNode
}

/** The card one meets before one is in. */
export function AuthCard({ title, children, alternative }: AuthCardProps) {
  return (
    <div className="AuthCard">
      <main className="AuthCard__place">
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
