import { useSnapshot } from 'valtio'
import { useMedia } from '#ui/components/use-media.ts'
import { TOUCH } from '#ui/lib/media.ts'
import { useActionContext } from '#ui/state/action-context.ts'
import { clipboard } from '#ui/state/clipboard.ts'
import { selection } from '#ui/state/selection.ts'
import { session } from '#ui/state/session.ts'
import { settings } from '#ui/state/settings.ts'
import type { Entry } from '#wire/entry.ts'
import type { ViewMode } from '#wire/user.ts'

export interface Marks {
  paths: ReadonlySet<string>
  cursor: string | undefined
  cut: ReadonlySet<string>
  exactDates: boolean
  view: ViewMode
  /** Whether pictures of images may be asked for. */
  pictured: boolean
  /** Whether items can be dragged: with a mouse, by who may move or copy. */
  draggable: boolean
}

const NO_PATHS: ReadonlySet<string> = new Set()

/** What the stores say about the items of a folder. */
export function useMarks(): Marks {
  const { paths, cursor } = useSnapshot(selection)
  const { verb, entries } = useSnapshot(clipboard)
  const { user } = useSnapshot(session)
  const { may } = useActionContext()
  const touch = useMedia(TOUCH)
  return {
    paths,
    cursor,
    cut: verb === 'cut' ? new Set(entries.map((entry: Entry) => entry.path)) : NO_PATHS,
    exactDates: user?.dateFormat ?? false,
    view: user?.viewMode ?? 'list',
    pictured: settings.EnableThumbs && (user?.perm.download ?? false),
    draggable: !touch && (may('rename') || may('copy')),
  }
}
