import { useTranslation } from '#ui/i18n/i18n.ts'
import { shownName } from '#ui/lib/entries/shown-name.ts'
import './Name.css'

/**
 * A file's name in its own writing direction. A long name is truncated at its end. The box is as wide as the name, so
 * that it is aligned with the page in every direction. A name that is not UTF-8, or contains invisible characters, is
 * marked and shows them.
 */
export function Name({ children }: { children: string }) {
  const { t } = useTranslation()
  const { text, isUtf8, isPlain } = shownName(children)
  return (
    <span
      className="Name"
      data-marked={isPlain ? undefined : ''}
      dir="auto"
      title={isUtf8 ? text : t('listing.notUtf8', { name: text })}
    >
      {text}
    </span>
  )
}
