import { useSnapshot } from 'valtio'
import { IconButton } from '#ui/components/controls/IconButton.tsx'
import { useAsync } from '#ui/components/hooks/use-async.ts'
import { formatDate, formatExactSize, formatFullDate, formatSize } from '#ui/i18n/format.ts'
import { useTranslation } from '#ui/i18n/i18n.ts'
import { mediaInfo } from '#ui/state/file/file-info.ts'
import { useFileSource } from '#ui/state/file/file-source.ts'
import { readerPreferences } from '#ui/state/view/reader-preferences.ts'
import type { FileEntry } from '#wire/api/entry.ts'
import { parsePath } from '#wire/paths.ts'
import './PictureFacts.css'

/** What the camera has stored in a picture, over the picture: as much of it as the reader may see. */
export function PictureFacts({ file }: { file: FileEntry }) {
  const { t } = useTranslation()
  const { pictureFacts } = useSnapshot(readerPreferences)
  const source = useFileSource()
  const key = `${file.path} ${file.modified}`
  const loaded = useAsync(pictureFacts ? key : undefined, (signal) =>
    source.facts(parsePath(file.path), signal),
  )
  if (!pictureFacts) return null
  const facts = loaded.status === 'loaded' ? loaded.value : {}
  const { size, modified } = file
  const items = [
    ...mediaInfo(facts),
    { term: t('details.size'), text: formatSize(size), title: formatExactSize(size) },
    ...(facts.taken
      ? []
      : [
          {
            term: t('details.modified'),
            text: formatDate(modified),
            title: formatFullDate(modified),
          },
        ]),
  ]
  return (
    <aside className="PictureFacts" aria-label={t('viewer.facts')}>
      <IconButton
        icon="x"
        size="s"
        label={t('common.close')}
        onClick={() => {
          readerPreferences.pictureFacts = false
        }}
      />
      <dl className="PictureFacts__list" aria-busy={loaded.status === 'loading'}>
        {items.map(({ term, text, title }) => (
          <div key={term}>
            <dt>{term}</dt>
            <dd dir="auto" title={title}>
              {text}
            </dd>
          </div>
        ))}
      </dl>
    </aside>
  )
}
