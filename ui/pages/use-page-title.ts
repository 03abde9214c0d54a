import { useEffect } from 'react'
import { useSnapshot } from 'valtio'
import { shownName } from '#ui/lib/entries/shown-name.ts'
import { setPageTitle } from '#ui/lib/page/page-title.ts'
import { settings } from '#ui/state/session/settings.ts'

/** Sets the title of the window: the names of the screen and of the server (docs/specification.md 2). */
export function usePageTitle(...names: string[]): void {
  const { Name } = useSnapshot(settings)
  const title = [...names.map((name) => shownName(name).text), Name].join(' - ')
  useEffect(() => {
    setPageTitle(title)
  }, [title])
}
