import { useEffect } from 'react'
import { useSnapshot } from 'valtio'
import { settings } from '#ui/state/settings.ts'

/** The title of the window: the screen's name and the instance's (docs/specification.md 2). */
export function usePageTitle(...names: string[]): void {
  const { Name } = useSnapshot(settings)
  const title = [...names, Name].join(' - ')
  useEffect(() => {
    document.title = title
  }, [title])
}
