import type { ComponentProps } from 'react'
import './Switch.css'

/** A switch that takes effect at once; a native checkbox. It requires a label. */
export function Switch(native: Omit<ComponentProps<'input'>, 'type' | 'role'>) {
  // biome-ignore lint/a11y/useAriaPropsForRole: a native checkbox reports its state itself
  return <input {...native} type="checkbox" role="switch" className="Switch" />
}
