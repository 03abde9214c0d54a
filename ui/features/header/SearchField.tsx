import { actionOf, perform } from '#ui/actions/registry.ts'
import { Icon } from '#ui/components/icons/Icon.tsx'
import { Kbd } from '#ui/components/icons/Kbd.tsx'
import { useTranslation } from '#ui/i18n/i18n.ts'
import { ariaKeys } from '#ui/lib/gestures/keys.ts'
import { useActionContext } from '#ui/state/action-context.ts'
import './SearchField.css'

/** A button in the shape of a search field that opens the finder; with `isIconOnly` only an icon. */
export function SearchField({ isIconOnly = false }: { isIconOnly?: boolean }) {
  const { t } = useTranslation()
  const { page } = useActionContext()
  const search = actionOf('search')
  if (page === 'file') return null
  const label = t(search.label)
  const [keys = '', short = ''] = search.keys ?? []
  return (
    <button
      type="button"
      className="SearchField"
      data-icon-only={isIconOnly || undefined}
      aria-haspopup="dialog"
      aria-keyshortcuts={`${ariaKeys(keys)} ${short}`}
      aria-label={label}
      data-tip={label}
      data-keys={keys}
      onClick={() => perform(search)}
    >
      <Icon name="search" />
      {!isIconOnly && (
        <>
          <span className="SearchField__text">{label}</span>
          <Kbd keys={short} />
        </>
      )}
    </button>
  )
}
