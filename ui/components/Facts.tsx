import type { ReactNode } from 'react'
import type { Fact } from '#ui/lib/fact.ts'
import './Facts.css'

interface FactsProps {
  facts: readonly Fact[]
  /** More rows of the same. */
  children?: ReactNode
}

/** Terms and what they are. */
export function Facts({ facts, children }: FactsProps) {
  return (
    <dl className="Facts">
      {facts.map(({ term, text, title }) => (
        <FactRow key={term} term={term}>
          <span title={title}>{text}</span>
        </FactRow>
      ))}
      {children}
    </dl>
  )
}

export function FactRow({ term, children }: { term: string; children: ReactNode }) {
  return (
    <div className="Facts__row">
      <dt>{term}</dt>
      <dd dir="auto">{children}</dd>
    </div>
  )
}
