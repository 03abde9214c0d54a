import { useState } from 'react'
import { useSnapshot } from 'valtio'
import { Button } from '#ui/components/Button.tsx'
import { IconButton } from '#ui/components/IconButton.tsx'
import { Menu } from '#ui/components/Menu.tsx'
import { formatNumber, formatPercent } from '#ui/i18n/format.ts'
import { useTranslation } from '#ui/i18n/i18n.ts'
import { keepPlace, placeIn } from '#ui/state/bookmarks.ts'
import { BOOK_PERCENT, reading, resizeBook } from '#ui/state/reading.ts'
import type { TreePath } from '#wire/paths.ts'
import { ChapterPage, type Spot } from './ChapterPage.tsx'
import type { Book } from './epub.ts'
import './OpenBook.css'

/** A book at the place where one was, with its contents and the way on. */
export function OpenBook({ book, path }: { book: Book; path: TreePath }) {
  const { t } = useTranslation()
  const { bookPercent } = useSnapshot(reading)
  const [spot, setSpot] = useState<Spot>(() => firstSpot(book, path))
  const [contents, setContents] = useState<HTMLElement | null>(null)
  const count = book.chapters.length
  const title = [book.title, book.author].filter(Boolean).join(' · ')

  function go(next: Spot): void {
    setSpot(next)
    keepPlace(path, next.chapter)
  }

  return (
    <div className="OpenBook">
      <div className="OpenBook__bar" role="toolbar" aria-label={t('book.tools')}>
        <Button
          icon="table-of-contents"
          aria-haspopup="menu"
          aria-expanded={contents !== null}
          onClick={({ currentTarget }) => setContents(contents ? null : currentTarget)}
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
        spot={spot}
        percent={bookPercent}
        onSpot={go}
        onRead={(share) => keepPlace(path, spot.chapter + share)}
      />
      <div className="OpenBook__foot">
        <Button disabled={spot.chapter === 0} onClick={() => go(startOf(spot.chapter - 1))}>
          {t('book.previous')}
        </Button>
        <span className="numeric">
          {t('book.chapterOf', { at: formatNumber(spot.chapter + 1), value: formatNumber(count) })}
        </span>
        <Button disabled={spot.chapter === count - 1} onClick={() => go(startOf(spot.chapter + 1))}>
          {t('book.next')}
        </Button>
      </div>
      {contents && (
        <Menu
          label={t('book.contents')}
          anchor={contents}
          onClose={() => setContents(null)}
          items={book.contents.map(({ title: words, chapter, fragment, depth }, at) => ({
            id: String(at),
            label:
              '\u2003'.repeat(depth) +
              (words || t('book.chapter', { at: formatNumber(chapter + 1) })),
            onSelect: () => go({ chapter, fragment, share: 0 }),
          }))}
        />
      )}
    </div>
  )
}

function startOf(chapter: number): Spot {
  return { chapter, fragment: '', share: 0 }
}

/** A place is the chapter's number, and after the dot how far it was read. */
function firstSpot(book: Book, path: TreePath): Spot {
  const place = placeIn(path) ?? 0
  const chapter = Math.min(book.chapters.length - 1, Math.max(0, Math.floor(place)))
  return { chapter, fragment: '', share: Math.max(0, place - chapter) % 1 }
}
