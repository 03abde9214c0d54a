import { type KindSource, kindOf } from '#ui/lib/entries/kinds.ts'
import { FILE_FOLD, FILE_ICONS, FOLDER_ICON } from '#ui/lib/icons.ts'
import './FileIcon.css'

/** The icon of an entry's kind: distinguished by shape first, and by a muted hue second. */
export function FileIcon({ entry }: { entry: KindSource }) {
  const kind = kindOf(entry)
  return (
    <svg className="FileIcon" viewBox="0 0 24 24" data-kind={kind} aria-hidden="true">
      {kind === 'folder' ? (
        <>
          <path className="FileIcon__back" d={FOLDER_ICON.back} />
          <path className="FileIcon__front" d={FOLDER_ICON.front} />
        </>
      ) : (
        <>
          <path className="FileIcon__sheet" d={FILE_ICONS[kind].outline} />
          <path d={FILE_FOLD + FILE_ICONS[kind].marks} />
        </>
      )}
    </svg>
  )
}
