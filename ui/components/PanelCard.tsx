import type { ReactNode } from 'react'
import { Icon } from './Icon.tsx'
import './PanelCard.css'

/** `stopped`: it waits for somebody. `ended`: all is over, something failed. */
type Phase = 'active' | 'done' | 'stopped' | 'ended'

const MARKS = {
  active: undefined,
  done: 'circle-check',
  stopped: 'circle-alert',
  ended: 'circle-alert',
} as const

interface PanelCardProps {
  /** Its name for assistive technology. */
  label: string
  phase: Phase
  title: ReactNode
  /** The title is not said aloud while it counts. */
  isQuiet?: boolean
  /** Beside the title. */
  buttons: ReactNode
  /** Below the title, also while the card is folded. */
  summary?: ReactNode
  children?: ReactNode
}

/** A card of the panels in the corner: what goes on, and how far it is. */
export function PanelCard({
  label,
  phase,
  title,
  isQuiet = false,
  buttons,
  summary,
  children,
}: PanelCardProps) {
  const mark = MARKS[phase]
  return (
    <section className="PanelCard appears" aria-label={label} data-phase={phase}>
      <header className="PanelCard__head">
        <div className="PanelCard__title">
          {mark && <Icon name={mark} />}
          <h2 aria-live={isQuiet ? 'off' : 'polite'}>{title}</h2>
          {buttons}
        </div>
        {summary}
      </header>
      {children}
    </section>
  )
}
