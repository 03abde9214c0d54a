import { useTranslation } from '#ui/i18n/i18n.ts'
import { shownName } from '#ui/lib/shown-name.ts'
import './Name.css'

/**
 * A file's name: it keeps its own direction and loses its end, never its beginning. The box hugs
 * it, so that it still lines up with the page. A name that is not UTF-8 is marked, and shows its bytes.
 */
export function Name({ children }: { children: string }) {
  const { t } = useTranslation()
  const { text, isUtf8 } = shownName(children)
  return (
    <span
      className="Name"
      data-bytes={isUtf8 ? undefined : ''}
      dir="auto"
      title={isUtf8 ? text : t('listing.notUtf8', { name: text })}
    >
      {text}
    </span>
  )
}
