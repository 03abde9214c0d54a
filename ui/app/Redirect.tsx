import { type ReactNode, useEffect } from 'react'
import { goTo } from '#ui/lib/page/location.ts'

/** Navigates to `to` and replaces the current history entry. */
export function Redirect({ to }: { to: string }): ReactNode {
  useEffect(() => goTo(to, { replace: true }), [to])
  return null
}
