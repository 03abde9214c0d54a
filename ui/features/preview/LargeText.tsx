import { useLayoutEffect, useRef, useState } from 'react'
import { Button } from '#ui/components/controls/Button.tsx'
import { Empty } from '#ui/components/feedback/Empty.tsx'
import { Loading } from '#ui/components/feedback/Loading.tsx'
import { useAsync } from '#ui/components/hooks/use-async.ts'
import { Icon } from '#ui/components/icons/Icon.tsx'
import { faultText } from '#ui/i18n/faults.ts'
import { formatSize } from '#ui/i18n/format.ts'
import { useTranslation } from '#ui/i18n/i18n.ts'
import { shownName } from '#ui/lib/entries/shown-name.ts'
import { useFileSource } from '#ui/state/file/file-source.ts'
import type { FileEntry } from '#wire/api/entry.ts'
import { type Excerpt, type ExcerptPart, readExcerpt } from './excerpt.ts'
import { Preview } from './Preview.tsx'
import './LargeText.css'

interface LargeTextProps {
  file: FileEntry
  /** The part that is shown first. */
  first: ExcerptPart
}

/** The beginning or the end of a text that is too large. Each click reads the part again: a log grows. */
export function LargeText({ file, first }: LargeTextProps) {
  const { t } = useTranslation()
  const source = useFileSource()
  const [{ part, reads }, setRequest] = useState({ part: first, reads: 0 })
  const key = `${source.keyOf(file.path)} ${file.modified} ${part} ${reads}`
  const loaded = useAsync(key, (signal) => readExcerpt(source, file, part, signal))
  const show = (wanted: ExcerptPart) => setRequest({ part: wanted, reads: reads + 1 })
  return (
    <Preview
      tools={
        <div className="LargeText__tools">
          <Button onClick={() => show('start')}>{t('viewer.showStart')}</Button>
          <Button onClick={() => show('end')}>{t('viewer.showEnd')}</Button>
        </div>
      }
    >
      {loaded.status === 'loading' && <Loading />}
      {loaded.status === 'failed' && (
        <Empty
          picture={<Icon name="triangle-alert" />}
          title={t('editor.unreadable')}
          hint={faultText(loaded.error)}
        />
      )}
      {loaded.status === 'loaded' && <Lines file={file} part={part} excerpt={loaded.value} />}
    </Preview>
  )
}

interface LinesProps {
  file: FileEntry
  part: ExcerptPart
  excerpt: Excerpt
}

function Lines({ file, part, excerpt: { text, bytes, fileBytes } }: LinesProps) {
  const { t } = useTranslation()
  const scroller = useRef<HTMLElement>(null)
  useLayoutEffect(() => {
    if (scroller.current && part === 'end')
      scroller.current.scrollTop = scroller.current.scrollHeight
  }, [part])
  const sizes = { part: formatSize(bytes), whole: formatSize(fileBytes) }
  return (
    <section
      ref={scroller}
      className="LargeText"
      aria-label={shownName(file.name).text}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a scroll container must be focusable
      tabIndex={0}
    >
      <p className="LargeText__extent">
        {t(part === 'start' ? 'viewer.firstPart' : 'viewer.lastPart', sizes)}
      </p>
      <pre className="LargeText__text" dir="auto">
        {text}
      </pre>
    </section>
  )
}
