import type { ReactNode } from 'react'
import { Card } from '#ui/components/Card.tsx'
import { Logo } from '#ui/components/Logo.tsx'
import './Door.css'

interface DoorProps {
  title: string
  children: ReactNode
  /** Another way in, below the form. */
  alternative?: ReactNode
}

/** The card one meets before one is in. */
export function Door({ title, children, alternative }: DoorProps) {
  return (
    <div className="Door">
      <main className="Door__place">
        <Card className="Door__card">
          <div className="Door__head">
            <Logo />
            <h1>{title}</h1>
          </div>
          {children}
          {alternative && <p className="Door__alternative">{alternative}</p>}
        </Card>
      </main>
    </div>
  )
}
