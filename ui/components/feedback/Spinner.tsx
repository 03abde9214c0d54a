import './Spinner.css'

/** A busy indicator; `label` describes it for assistive technology. */
export function Spinner({ label }: { label: string }) {
  return <span className="Spinner" role="status" aria-label={label} />
}
