import { useEffect, useMemo } from 'react'
import { useSnapshot } from 'valtio'
import { actionOf, perform } from '#ui/actions/registry.ts'
import { Button } from '#ui/components/controls/Button.tsx'
import { Empty } from '#ui/components/feedback/Empty.tsx'
import { Loading } from '#ui/components/feedback/Loading.tsx'
import { Icon } from '#ui/components/icons/Icon.tsx'
import { faultText } from '#ui/i18n/faults.ts'
import { useTranslation } from '#ui/i18n/i18n.ts'
import { bytes, loadBytes } from '#ui/state/file/bytes.ts'
import { useFileSource } from '#ui/state/file/file-source.ts'
import type { FileEntry } from '#wire/api/entry.ts'
import { parsePath } from '#wire/paths.ts'
import { type Book, openBook } from './epub.ts'
import { OpenBook } from './OpenBook.tsx'

/** Shows an EPUB file. */
export function BookReader({ file }: { file: FileEntry }) {
  const { t } = useTranslation()
  const { path, value, fault } = useSnapshot(bytes)
  const source = useFileSource()
  // The file is loaded again after it was saved.
  // biome-ignore lint/correctness/useExhaustiveDependencies: `modified` changes with the content
  useEffect(() => loadBytes(parsePath(file.path), source), [file.path, file.modified, source])
  const book = useMemo(
    () => (path === file.path && value ? tryOpenBook(value) : undefined),
    [path, file.path, value],
  )
  if (book === 'broken' || fault) {
    const download = actionOf('download')
    return (
      <Empty
        picture={<Icon name="book-open-text" />}
        title={t('book.unreadable')}
        hint={fault ? faultText(fault) : t('book.broken')}
        actions={
          <Button icon={download.icon} onClick={() => perform(download)}>
            {t(download.label)}
          </Button>
        }
      />
    )
  }
  if (!book) return <Loading />
  return <OpenBook book={book} positionKey={source.keyOf(parsePath(file.path))} />
}

function tryOpenBook(content: Uint8Array): Book | 'broken' {
  try {
    return openBook(content)
  } catch {
    return 'broken'
  }
}
