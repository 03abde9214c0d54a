import type { ReactNode } from 'react'
import { Card } from '#ui/components/feedback/Card.tsx'
import { Logo } from '#ui/components/icons/Logo.tsx'
import './AuthCard.css'

interface AuthCardProps {
  title: string
  children: ReactNode
  /** A line below the form, such as a link to another page. */
  note?: ReactNode
}

/** The card of a page without a session: sign-in, sign-up, an invitation, or the password of a share. */
export function AuthCard({ title, children, note }: AuthCardProps) {
  return (
    <div className="AuthCard">
      <main className="AuthCard__main">
        <Card className="AuthCard__card">
          <div className="AuthCard__head">
            <Logo />
            <h1>{title}</h1>
          </div>
          {children}
          {note && <p className="AuthCard__note">{note}</p>}
        </Card>
      </main>
    </div>
  )
}
