import './Facts.css'

export interface Fact {
  term: string
  text: string
  title?: string
}

/** Terms and what they are. */
export function Facts({ facts }: { facts: readonly Fact[] }) {
  return (
    <dl className="Facts">
      {facts.map(({ term, text, title }) => (
        <div key={term}>
          <dt>{term}</dt>
          <dd title={title} dir="auto">
            {text}
          </dd>
        </div>
      ))}
    </dl>
  )
}
