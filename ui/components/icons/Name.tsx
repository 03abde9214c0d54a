import { useTranslation } from '#ui/i18n/i18n.ts'
import { endOf, shownName } from '#ui/lib/entries/shown-name.ts'
import './Name.css'

interface NameProps {
  children: string
  /** Whether it has up to two lines. */
  isTall?: boolean
}

/**
 * A file's name in its own writing direction. A long name is cut in its middle: its end, with the extension, stays visible.
 * The box is as wide as the name, so that it is aligned with the page in every direction. A name that is not UTF-8, or
 * contains invisible characters, is marked and shows them.
 */
export function Name({ children, isTall = false }: NameProps) {
  const { t } = useTranslation()
  const { text, isUtf8, isPlain } = shownName(children)
  const end = endOf(text)
  return (
    <span
      className="Name"
      data-marked={isPlain ? undefined : ''}
      data-tall={isTall || undefined}
      dir="auto"
      title={isUtf8 ? text : t('listing.notUtf8', { name: text })}
    >
      {end === 0 ? (
        text
      ) : (
        <>
          {/* The parts are only painted: the name itself is one text for those who read, search or copy it. */}
          <span className="Name__whole">{text}</span>
          <span className="Name__start" aria-hidden data-text={text.slice(0, end)} />
          <span className="Name__end" aria-hidden data-text={text.slice(end)} />
        </>
      )}
    </span>
  )
}
