import type { ComponentProps } from 'react'
import './Switch.css'

/** Something that is on or off at once; a native checkbox. Name it by a label. */
export function Switch(native: Omit<ComponentProps<'input'>, 'type' | 'role'>) {
  // biome-ignore lint/a11y/useAriaPropsForRole: a native checkbox says itself whether it is checked
  return <input {...native} type="checkbox" role="switch" className="Switch" />
}
