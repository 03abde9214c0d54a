import type { ComponentProps } from 'react'
import { Icon, type IconName } from '../icons/Icon.tsx'
import './IconButton.css'

interface IconButtonProps extends ComponentProps<'button'> {
  icon: IconName
  /** The accessible name and tooltip. */
  label: string
  tone?: 'danger'
  /** For a toggle button. */
  pressed?: boolean
  size?: 's'
  mirror?: boolean
}

/** A button with only an icon. */
export function IconButton({
  icon,
  label,
  tone,
  pressed,
  size,
  mirror = false,
  ...native
}: IconButtonProps) {
  return (
    <button
      type="button"
      data-tip={label}
      aria-label={label}
      {...native}
      className="IconButton"
      aria-pressed={pressed}
      data-tone={tone}
      data-size={size}
    >
      <Icon name={icon} mirror={mirror} />
    </button>
  )
}
