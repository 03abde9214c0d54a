import { type ReactNode, useEffect } from 'react'
import { goTo } from '#ui/lib/location.ts'

/** Leads on; the address left behind is no step of the history. */
export function Redirect({ to }: { to: string }): ReactNode {
  useEffect(() => goTo(to, { replace: true }), [to])
  return null
}
