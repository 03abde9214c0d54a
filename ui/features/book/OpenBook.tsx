import { useState } from 'react'
import { useSnapshot } from 'valtio'
import { Button } from '#ui/components/controls/Button.tsx'
import { IconButton } from '#ui/components/controls/IconButton.tsx'
import { Menu } from '#ui/components/overlays/Menu.tsx'
import { formatNumber, formatPercent } from '#ui/i18n/format.ts'
import { useTranslation } from '#ui/i18n/i18n.ts'
import { positionIn, savePosition } from '#ui/state/media/bookmarks.ts'
import { BOOK_PERCENT, readerPreferences, resizeBook } from '#ui/state/view/reader-preferences.ts'
import { ChapterPage, type ReadingPosition } from './ChapterPage.tsx'
import type { Book } from './epub.ts'
import './OpenBook.css'

interface OpenBookProps {
  book: Book
  /** What the reading position is remembered for. */
  positionKey: string
}

/** A book at its last reading position, with its table of contents, and buttons for the previous and next chapter. */
export function OpenBook({ book, positionKey }: OpenBookProps) {
  const { t } = useTranslation()
  const { bookPercent } = useSnapshot(readerPreferences)
  const [position, setPosition] = useState<ReadingPosition>(() => firstPosition(book, positionKey))
  /** The button below which the table of contents is open. */
  const [contentsAnchor, setContentsAnchor] = useState<HTMLElement | null>(null)
  const chapterCount = book.chapters.length
  const title = [book.title, book.author].filter(Boolean).join(' · ')

  function go(next: ReadingPosition): void {
    setPosition(next)
    savePosition(positionKey, next.chapter)
  }

  return (
    <div className="OpenBook">
      <div className="OpenBook__bar" role="toolbar" aria-label={t('book.tools')}>
        <Button
          icon="table-of-contents"
          aria-haspopup="menu"
          aria-expanded={contentsAnchor !== null}
          onClick={({ currentTarget }) => setContentsAnchor(contentsAnchor ? null : currentTarget)}
        >
          {t('book.contents')}
        </Button>
        <span className="OpenBook__title truncate" dir="auto">
          {title}
        </span>
        <IconButton
          icon="minus"
          size="s"
          label={t('editor.smaller')}
          disabled={bookPercent <= BOOK_PERCENT.min}
          onClick={() => resizeBook(-1)}
        />
        <span className="numeric">{formatPercent(bookPercent / 100)}</span>
        <IconButton
          icon="plus"
          size="s"
          label={t('editor.larger')}
          disabled={bookPercent >= BOOK_PERCENT.max}
          onClick={() => resizeBook(1)}
        />
      </div>
      <ChapterPage
        book={book}
        position={position}
        percent={bookPercent}
        onPosition={go}
        onRead={(fraction) => savePosition(positionKey, position.chapter + fraction)}
      />
      <div className="OpenBook__foot">
        <Button disabled={position.chapter === 0} onClick={() => go(startOf(position.chapter - 1))}>
          {t('book.previous')}
        </Button>
        <span className="numeric">
          {t('book.chapterOf', {
            at: formatNumber(position.chapter + 1),
            value: formatNumber(chapterCount),
          })}
        </span>
        <Button
          disabled={position.chapter === chapterCount - 1}
          onClick={() => go(startOf(position.chapter + 1))}
        >
          {t('book.next')}
        </Button>
      </div>
      {contentsAnchor && (
        <Menu
          label={t('book.contents')}
          anchor={contentsAnchor}
          onClose={() => setContentsAnchor(null)}
          items={book.contents.map(({ title, chapter, fragment, depth }, index) => ({
            id: String(index),
            label:
              '\u2003'.repeat(depth) +
              (title || t('book.chapter', { at: formatNumber(chapter + 1) })),
            onSelect: () => go({ chapter, fragment, fraction: 0 }),
          }))}
        />
      )}
    </div>
  )
}

function startOf(chapter: number): ReadingPosition {
  return { chapter, fragment: '', fraction: 0 }
}

/** The stored position: its integer part is the number of the chapter, its fraction the part that was read. */
function firstPosition(book: Book, positionKey: string): ReadingPosition {
  const position = positionIn(positionKey) ?? 0
  const chapter = Math.min(book.chapters.length - 1, Math.max(0, Math.floor(position)))
  return { chapter, fragment: '', fraction: Math.max(0, position - chapter) % 1 }
}
