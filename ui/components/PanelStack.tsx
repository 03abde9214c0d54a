import type { ReactNode } from 'react'
import './PanelStack.css'

/** Cards over every page, stacked in the corner. */
export function PanelStack({ children }: { children: ReactNode }) {
  return <div className="PanelStack">{children}</div>
}
