import type { ReactNode } from 'react'
import './PanelStack.css'

/** Cards that lie over every page, in its corner, one above the other. */
export function PanelStack({ children }: { children: ReactNode }) {
  return <div className="PanelStack">{children}</div>
}
