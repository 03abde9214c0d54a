import { useSnapshot } from 'valtio'
import { useMedia } from '#ui/components/use-media.ts'
import { TOUCH } from '#ui/lib/media.ts'
import { useActionContext } from '#ui/state/action-context.ts'
import { clipboard } from '#ui/state/clipboard.ts'
import { layout } from '#ui/state/layout.ts'
import { selection } from '#ui/state/selection.ts'
import { session } from '#ui/state/session.ts'
import { settings } from '#ui/state/settings.ts'
import type { Entry } from '#wire/entry.ts'
import type { ViewMode } from '#wire/user.ts'

export interface EntryMarks {
  paths: ReadonlySet<string>
  cursor: string | undefined
  cut: ReadonlySet<string>
  exactDates: boolean
  /** Whether a list shows the sizes of folders. */
  folderSizes: boolean
  view: ViewMode
  /** Whether thumbnails of images may be requested. */
  hasThumbnails: boolean
  /** Whether entries can be dragged: with a mouse, by users who may move or copy. */
  draggable: boolean
}

const NO_PATHS: ReadonlySet<string> = new Set()

/** The state of the folder's entries from the stores. */
export function useMarks(): EntryMarks {
  const { paths, cursor } = useSnapshot(selection)
  const { verb, entries } = useSnapshot(clipboard)
  const { user } = useSnapshot(session)
  const { folderSizes } = useSnapshot(layout)
  const { may, viewMode } = useActionContext()
  const touch = useMedia(TOUCH)
  return {
    paths,
    cursor,
    cut: verb === 'cut' ? new Set(entries.map((entry: Entry) => entry.path)) : NO_PATHS,
    exactDates: user?.dateFormat ?? false,
    folderSizes,
    view: viewMode,
    hasThumbnails: settings.EnableThumbs && (user?.perm.download ?? false),
    draggable: !touch && (may('rename') || may('copy')),
  }
}
