import { useEffect } from 'react'
import { useSnapshot } from 'valtio'
import { setPageTitle } from '#ui/lib/page-title.ts'
import { shownName } from '#ui/lib/shown-name.ts'
import { settings } from '#ui/state/settings.ts'

/** Sets the title of the window: the names of the screen and of the server (docs/specification.md 2). */
export function usePageTitle(...names: string[]): void {
  const { Name } = useSnapshot(settings)
  const title = [...names.map((name) => shownName(name).text), Name].join(' - ')
  useEffect(() => {
    setPageTitle(title)
  }, [title])
}
