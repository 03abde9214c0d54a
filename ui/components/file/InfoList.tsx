import type { ReactNode } from 'react'
import type { InfoItem } from '#ui/lib/entries/info-item.ts'
import './InfoList.css'

interface InfoListProps {
  items: readonly InfoItem[]
  /** More rows. */
  children?: ReactNode
}

/** A list of terms and values. */
export function InfoList({ items, children }: InfoListProps) {
  return (
    <dl className="InfoList">
      {items.map(({ term, text, title }) => (
        <InfoRow key={term} term={term}>
          <span title={title}>{text}</span>
        </InfoRow>
      ))}
      {children}
    </dl>
  )
}

/** One term with its value. */
export function InfoRow({ term, children }: { term: string; children: ReactNode }) {
  return (
    <div className="InfoList__row">
      <dt>{term}</dt>
      <dd dir="auto">{children}</dd>
    </div>
  )
}
