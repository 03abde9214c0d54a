import { useSnapshot } from 'valtio'
import { Icon } from '#ui/components/icons/Icon.tsx'
import { useTranslation } from '#ui/i18n/i18n.ts'
import { FIND_TYPES } from '#ui/lib/entries/find-text.ts'
import { finder, setFinderOnlyHere } from '#ui/state/finder/finder.ts'
import { hasType, toggleType } from '#ui/state/finder/query.ts'
import { nameOf, ROOT } from '#wire/paths.ts'
import './FinderChips.css'

const ICONS = {
  folder: 'folder',
  image: 'image',
  audio: 'music',
  video: 'film',
  pdf: 'file-text',
} as const

interface FinderChipsProps {
  text: string
  onChange(text: string): void
}

/** The filters of a search: type and folder. */
export function FinderChips({ text, onChange }: FinderChipsProps) {
  const { t } = useTranslation()
  return (
    <div className="FinderChips">
      {FIND_TYPES.map((type) => (
        <button
          key={type}
          type="button"
          className="FinderChips__chip"
          aria-pressed={hasType(text, type)}
          onClick={() => onChange(toggleType(text, type))}
        >
          <Icon name={ICONS[type]} />
          {t(`finder.types.${type}`)}
        </button>
      ))}
      <LocationButton />
    </div>
  )
}

/** Toggles between searching only below the folder and searching everywhere. */
function LocationButton() {
  const { t } = useTranslation()
  const { folder, searchesOnlyHere } = useSnapshot(finder)
  if (folder === ROOT) return null
  const name = nameOf(folder)
  const label = t(searchesOnlyHere ? 'finder.widen' : 'finder.narrow', { folder: name })
  return (
    <button
      type="button"
      className="FinderChips__location"
      aria-label={label}
      title={label}
      onClick={() => setFinderOnlyHere(!searchesOnlyHere)}
    >
      <bdi>{searchesOnlyHere ? t('finder.below', { folder: name }) : t('finder.everywhere')}</bdi>
      <Icon name="chevrons-up-down" />
    </button>
  )
}
