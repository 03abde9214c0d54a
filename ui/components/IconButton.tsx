import type { ComponentProps } from 'react'
import { Icon, type IconName } from './Icon.tsx'
import './IconButton.css'

interface IconButtonProps extends ComponentProps<'button'> {
  icon: IconName
  /** Its name for assistive technology, and its tooltip. */
  label: string
  tone?: 'danger'
  /** For a button that switches something on and off. */
  pressed?: boolean
  size?: 's'
  mirror?: boolean
  /** How many things it is about, as a small number on the icon. */
  count?: string | undefined
}

/** A button with an icon alone. */
export function IconButton({
  icon,
  label,
  tone,
  pressed,
  size,
  mirror = false,
  count,
  ...native
}: IconButtonProps) {
  return (
    <button
      type="button"
      title={label}
      aria-label={count ? `${label}: ${count}` : label}
      {...native}
      className="IconButton"
      aria-pressed={pressed}
      data-tone={tone}
      data-size={size}
    >
      <Icon name={icon} mirror={mirror} />
      {count && (
        <span className="IconButton__count" aria-hidden="true">
          {count}
        </span>
      )}
    </button>
  )
}
