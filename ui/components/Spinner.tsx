import './Spinner.css'

/** Something is going on; `label` says what, for assistive technology. */
export function Spinner({ label }: { label: string }) {
  return <span className="Spinner" role="status" aria-label={label} />
}
