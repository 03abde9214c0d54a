import type { ReactNode } from 'react'
import './PanelStack.css'

/** Panels in the corner over every page, one above the other, such as the progress of uploads and jobs. */
export function PanelStack({ children }: { children: ReactNode }) {
  return <div className="PanelStack">{children}</div>
}
