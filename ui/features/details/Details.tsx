import { useSnapshot } from 'valtio'
import { FileIcon } from '#ui/components/FileIcon.tsx'
import { IconButton } from '#ui/components/IconButton.tsx'
import { Thumb } from '#ui/components/Thumb.tsx'
import { useTranslation } from '#ui/i18n/i18n.ts'
import { thumbnailUrl } from '#ui/lib/links.ts'
import { layout } from '#ui/state/layout.ts'
import { listing } from '#ui/state/listing.ts'
import { session } from '#ui/state/session.ts'
import { settings } from '#ui/state/settings.ts'
import { useSituation } from '#ui/state/situation.ts'
import type { Entry } from '#wire/entry.ts'
import type { TreePath } from '#wire/paths.ts'
import { SelectionFacts } from './SelectionFacts.tsx'
import './Details.css'

/** How many things the stack of pictures shows. */
const STACK = 3

/** What there is to know of the selection; without one, of the folder. */
export function Details() {
  const { t } = useTranslation()
  const { entry } = useSnapshot(listing)
  const { targets } = useSituation()
  // The snapshot of a `ref` is the entry itself.
  const shown = targets.length > 0 ? targets : entry ? [entry as Entry] : []
  if (shown.length === 0) return null
  return (
    <aside className="Details" aria-label={t('details.title')}>
      <div className="Details__head">
        <h2>{t('details.title')}</h2>
        <IconButton
          icon="x"
          size="s"
          label={t('common.close')}
          onClick={() => {
            layout.detailsOpen = false
          }}
        />
      </div>
      <div className="Details__stack">
        {shown.slice(0, STACK).map((item) => (
          <Picture key={item.path} entry={item} />
        ))}
      </div>
      <SelectionFacts entries={shown} />
    </aside>
  )
}

function Picture({ entry }: { entry: Entry }) {
  const icon = <FileIcon entry={entry} />
  const may = session.user?.perm.download && settings.EnableThumbs
  if (entry.type !== 'image' || !may) return icon
  // The server spells an entry's path as a clean TreePath.
  return <Thumb src={thumbnailUrl(entry, entry.path as TreePath)} fallback={icon} />
}
