import type { ReactNode } from 'react'
import { Icon } from '../icons/Icon.tsx'
import './PanelCard.css'

/**
 * `active`: operations are running, or the card is not about operations. `done`: all operations have succeeded.
 * `stopped`: an operation waits for the user. `ended`: all operations have ended, and at least one failed.
 */
type Phase = 'active' | 'done' | 'stopped' | 'ended'

const ICONS = {
  active: undefined,
  done: 'circle-check',
  stopped: 'circle-alert',
  ended: 'circle-alert',
} as const

interface PanelCardProps {
  /** The accessible name. */
  label: string
  phase: Phase
  title: ReactNode
  /** Whether the title is not announced, because it changes constantly or never. */
  isQuiet?: boolean
  /** Buttons beside the title. */
  buttons: ReactNode
  /** Content below the title, also while the card is collapsed. */
  summary?: ReactNode
  children?: ReactNode
}

/** A card in the corner, beside other work: it shows the progress of operations, or the first steps. */
export function PanelCard({
  label,
  phase,
  title,
  isQuiet = false,
  buttons,
  summary,
  children,
}: PanelCardProps) {
  const icon = ICONS[phase]
  return (
    <section className="PanelCard appears" aria-label={label} data-phase={phase}>
      <header className="PanelCard__head">
        <div className="PanelCard__title">
          {icon && <Icon name={icon} />}
          <h2 aria-live={isQuiet ? 'off' : 'polite'}>{title}</h2>
          {buttons}
        </div>
        {summary}
      </header>
      {children}
    </section>
  )
}
