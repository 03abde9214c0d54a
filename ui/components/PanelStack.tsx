import type { ReactNode } from 'react'
import './PanelStack.css'

/** Cards in the corner over every page, one above the other. */
export function PanelStack({ children }: { children: ReactNode }) {
  return <div className="PanelStack">{children}</div>
}
