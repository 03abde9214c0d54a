import type { ComponentProps } from 'react'
import { Icon, type IconName } from '../icons/Icon.tsx'
import './Button.css'

interface ButtonProps extends ComponentProps<'button'> {
  tone?: 'accent' | 'danger' | 'quiet' | undefined
  icon?: IconName | undefined
  size?: 'l'
  /** As wide as its container. */
  wide?: boolean
}

/** A button with a label. */
export function Button({ tone, icon, size, wide, children, ...native }: ButtonProps) {
  return (
    <button
      type="button"
      {...native}
      className="Button"
      data-tone={tone}
      data-size={size}
      data-wide={wide || undefined}
    >
      {icon && <Icon name={icon} />}
      {children}
    </button>
  )
}
