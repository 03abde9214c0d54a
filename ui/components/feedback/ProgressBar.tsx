import './ProgressBar.css'

interface ProgressBarProps {
  value: number
  max: number
  label: string
  /** Whether the progress is unknown. */
  indeterminate?: boolean
  tone?: 'danger' | 'success' | undefined
}

/** The progress of an operation. */
export function ProgressBar({ value, max, label, indeterminate, tone }: ProgressBarProps) {
  const fraction = max > 0 ? Math.min(1, Math.max(0, value / max)) : 0
  return (
    <div
      className="ProgressBar"
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={indeterminate ? undefined : Math.round(fraction * 100)}
      data-tone={tone}
      data-indeterminate={indeterminate || undefined}
    >
      <div
        className="ProgressBar__fill"
        style={indeterminate ? undefined : { inlineSize: `${fraction * 100}%` }}
      />
    </div>
  )
}
