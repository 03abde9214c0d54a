import { useId, useRef, useState } from 'react'
import { useSnapshot } from 'valtio'
import { Link } from 'wouter'
import { IconButton } from '#ui/components/controls/IconButton.tsx'
import { Loading } from '#ui/components/feedback/Loading.tsx'
import { useAsync } from '#ui/components/hooks/use-async.ts'
import { useMedia } from '#ui/components/hooks/use-media.ts'
import { FileIcon } from '#ui/components/icons/FileIcon.tsx'
import { faultText } from '#ui/i18n/faults.ts'
import { useTranslation } from '#ui/i18n/i18n.ts'
import { shownName } from '#ui/lib/entries/shown-name.ts'
import { filesUrl } from '#ui/lib/page/location.ts'
import { NARROW } from '#ui/lib/page/media.ts'
import { rawUrl } from '#ui/lib/urls/content-urls.ts'
import { unopenedPictureOf } from '#ui/lib/urls/pictures.ts'
import { useActionContext } from '#ui/state/action-context.ts'
import { saveShownText } from '#ui/state/file/shown-text.ts'
import { readUnopenedText } from '#ui/state/file/text-file.ts'
import { settings } from '#ui/state/session/settings.ts'
import { layout } from '#ui/state/view/layout.ts'
import type { Entry } from '#wire/api/entry.ts'
import { nameOf } from '#wire/paths.ts'
import { Markdown } from './Markdown.tsx'
import type { TreeUrls } from './markdown.ts'
import { toggleTask } from './tasks.ts'
import './Readme.css'

/** The README of a folder, below its listing. In wide windows, opening or closing it applies to all folders. */
export function Readme({ file }: { file: Entry }) {
  const { t } = useTranslation()
  const { readmeOpen } = useSnapshot(layout)
  const isNarrow = useMedia(NARROW)
  /** In narrow windows it is closed at first, and opening it applies to this folder only. */
  const [isOpenHere, setOpenHere] = useState(false)
  const isOpen = isNarrow ? isOpenHere : readmeOpen
  const id = useId()

  function toggle(): void {
    if (isNarrow) setOpenHere(!isOpen)
    else layout.readmeOpen = !isOpen
  }

  return (
    <section
      className="Readme"
      aria-label={shownName(file.name).text}
      data-open={isOpen || undefined}
    >
      <header className="Readme__head">
        <FileIcon entry={file} />
        <h2 className="Readme__title">
          <Link href={filesUrl(file.path, false)}>
            <bdi>{file.name}</bdi>
          </Link>
        </h2>
        <IconButton
          icon={isOpen ? 'chevron-down' : 'chevron-up'}
          size="s"
          label={t(isOpen ? 'readme.close' : 'readme.open', { name: file.name })}
          aria-expanded={isOpen}
          aria-controls={id}
          onClick={toggle}
        />
      </header>
      <div id={id} className="Readme__text">
        {isOpen && <Text key={file.path} file={file} />}
      </div>
    </section>
  )
}

/** The browser asks the server each time whether a preview has changed, so the time of a picture need not be known. */
const UNKNOWN_TIME = new Date(0).toISOString()

/** Pictures are previews if possible, because the server records a request for an original as an opening. */
const README_URLS: TreeUrls = {
  picture: (path) =>
    unopenedPictureOf(
      { name: nameOf(path), modified: UNKNOWN_TIME },
      path,
      settings.ResizePreview,
    ) ?? rawUrl(path, true),
  page: filesUrl,
}

function Text({ file: { path, name, modified, size } }: { file: Entry }) {
  const { t } = useTranslation()
  const result = useAsync(`${path} ${modified} ${size}`, (signal) => readUnopenedText(path, signal))
  const { may } = useActionContext()
  /** Shown while a new version is read, so that a check box keeps the focus. */
  const last = useRef<string | null>(null)
  if (result.status === 'loaded') last.current = result.value
  if (result.status === 'loading' && last.current === null) return <Loading />
  if (result.status === 'failed') {
    return (
      <p className="Readme__failed" role="alert">
        {faultText(result.error)}
      </p>
    )
  }
  const source = last.current
  if (source === null) return null
  return (
    <Markdown
      source={source}
      path={path}
      onTask={may('modify') ? (...box) => toggle(source, ...box) : undefined}
      label={t('readme.text', { name })}
      urls={README_URLS}
      isPart
    />
  )

  function toggle(text: string, index: number, count: number): void {
    const change = toggleTask(text, index, count)
    if (!change) return
    const changed = text.slice(0, change.from) + change.insert + text.slice(change.to)
    void saveShownText(path, text, changed)
  }
}
