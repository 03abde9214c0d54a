import { useSnapshot } from 'valtio'
import { Icon } from '#ui/components/Icon.tsx'
import { useTranslation } from '#ui/i18n/i18n.ts'
import { hasType, SEARCH_TYPES, toggleType } from '#ui/lib/search-query.ts'
import { search, widenSearch } from '#ui/state/search.ts'
import { nameOf, ROOT } from '#wire/paths.ts'
import './SearchTypes.css'

const ICONS = { image: 'image', audio: 'music', video: 'film', pdf: 'file-text' } as const

interface SearchTypesProps {
  query: string
  /** The query with one type more or less: what is chosen here is looked for at once. */
  onChange(query: string): void
}

/** What is looked for, and where. */
export function SearchTypes({ query, onChange }: SearchTypesProps) {
  const { t } = useTranslation()
  return (
    <div className="SearchTypes">
      {SEARCH_TYPES.map((type) => (
        <button
          key={type}
          type="button"
          className="SearchTypes__chip"
          aria-pressed={hasType(query, type)}
          onClick={() => onChange(toggleType(query, type))}
        >
          <Icon name={ICONS[type]} />
          {t(`search.types.${type}`)}
        </button>
      ))}
      <SearchLocation />
    </div>
  )
}

/** Where is searched; a press searches all files, another one the folder again. */
function SearchLocation() {
  const { t } = useTranslation()
  const { folder, everywhere } = useSnapshot(search)
  if (folder === ROOT) return <span className="SearchTypes__place">{t('search.everywhere')}</span>
  const name = nameOf(folder)
  const label = t(everywhere ? 'search.narrow' : 'search.widen', { folder: name })
  return (
    <button
      type="button"
      className="SearchTypes__place"
      aria-label={label}
      title={label}
      onClick={() => widenSearch(!everywhere)}
    >
      <bdi>{everywhere ? t('search.everywhere') : t('search.below', { folder: name })}</bdi>
      <Icon name="chevrons-up-down" />
    </button>
  )
}
