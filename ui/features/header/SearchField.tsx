import { actionOf, perform } from '#ui/actions/registry.ts'
import { Icon } from '#ui/components/Icon.tsx'
import { IconButton } from '#ui/components/IconButton.tsx'
import { Kbd } from '#ui/components/Kbd.tsx'
import { useTranslation } from '#ui/i18n/i18n.ts'
import { ariaKeys, keyLabel } from '#ui/lib/keys.ts'
import { useActionContext } from '#ui/state/action-context.ts'
import './SearchField.css'

/** The way to the search, in the shape of a field; `brief` where there is room for an icon alone. */
export function SearchField({ brief = false }: { brief?: boolean }) {
  const { t } = useTranslation()
  const { page } = useActionContext()
  const search = actionOf('search')
  if (page === 'file') return null
  const label = t(search.label)
  const [keys = '', short = ''] = search.keys ?? []
  if (brief) return <IconButton icon="search" label={label} onClick={() => perform(search)} />
  return (
    <button
      type="button"
      className="SearchField"
      aria-haspopup="dialog"
      aria-keyshortcuts={`${ariaKeys(keys)} ${short}`}
      aria-label={label}
      title={`${label} (${keyLabel(keys)})`}
      onClick={() => perform(search)}
    >
      <Icon name="search" />
      <span className="SearchField__words">{label}</span>
      <Kbd keys={short} />
    </button>
  )
}
