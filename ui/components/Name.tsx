import { useTranslation } from '#ui/i18n/i18n.ts'
import { shownName } from '#ui/lib/shown-name.ts'
import './Name.css'

/**
 * A file's name: it keeps its own direction and loses its end, never its beginning. The box hugs
 * it, so that it still lines up with the page. A name that is not UTF-8, or hides something, is marked and
 * shows it.
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
