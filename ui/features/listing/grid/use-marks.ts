import { useSnapshot } from 'valtio'
import { useMedia } from '#ui/components/hooks/use-media.ts'
import { TOUCH } from '#ui/lib/page/media.ts'
import { useActionContext } from '#ui/state/action-context.ts'
import { clipboard } from '#ui/state/folder/clipboard.ts'
import { selection } from '#ui/state/folder/selection.ts'
import { session } from '#ui/state/session/session.ts'
import { settings } from '#ui/state/session/settings.ts'
import { layout } from '#ui/state/view/layout.ts'
import type { Entry } from '#wire/api/entry.ts'
import type { ViewMode } from '#wire/api/user.ts'

/** The state that all rows and tiles of a folder share. */
export interface EntryMarks {
  /** The paths of the selected entries. */
  paths: ReadonlySet<string>
  /** The path of the entry at the cursor. */
  cursor: string | undefined
  /** The paths of the entries that were cut to the clipboard. */
  cut: ReadonlySet<string>
  /** Whether dates are shown exactly, not relative to now. */
  hasExactDates: boolean
  /** Whether a list shows the sizes of folders. */
  showsFolderSizes: boolean
  view: ViewMode
  /** Whether thumbnails of images may be requested. */
  hasThumbnails: boolean
  /** Whether entries can be dragged: with a mouse, by users who may move or copy. */
  draggable: boolean
}

const NO_PATHS: ReadonlySet<string> = new Set()

/** Reads that state from the stores. */
export function useMarks(): EntryMarks {
  const { paths, cursor } = useSnapshot(selection)
  const { verb, entries } = useSnapshot(clipboard)
  const { user } = useSnapshot(session)
  const { folderSizes } = useSnapshot(layout)
  const { may, viewMode } = useActionContext()
  const isTouch = useMedia(TOUCH)
  return {
    paths,
    cursor,
    cut: verb === 'cut' ? new Set(entries.map((entry: Entry) => entry.path)) : NO_PATHS,
    hasExactDates: user?.dateFormat ?? false,
    showsFolderSizes: folderSizes,
    view: viewMode,
    hasThumbnails: settings.EnableThumbs && (user?.perm.download ?? false),
    draggable: !isTouch && (may('rename') || may('copy')),
  }
}
