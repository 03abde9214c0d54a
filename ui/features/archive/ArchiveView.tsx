import {
  type ComponentType,
  type KeyboardEvent,
  type MouseEvent,
  type ReactNode,
  useEffect,
  useRef,
  useState,
} from 'react'
import { Button } from '#ui/components/controls/Button.tsx'
import { Empty } from '#ui/components/feedback/Empty.tsx'
import { Loading } from '#ui/components/feedback/Loading.tsx'
import { ENTRY_TARGET } from '#ui/components/file/EntryTable.tsx'
import { useAsync } from '#ui/components/hooks/use-async.ts'
import { Icon } from '#ui/components/icons/Icon.tsx'
import { faultText } from '#ui/i18n/faults.ts'
import { useTranslation } from '#ui/i18n/i18n.ts'
import { download } from '#ui/lib/page/download.ts'
import type { ArchiveSource } from '#ui/state/file/archive-source.ts'
import type { ArchiveFolder } from '#wire/api/archive-contents.ts'
import { Fault, isFault } from '#wire/fault.ts'
import { parentPath, type RequestPath, ROOT } from '#wire/paths.ts'
import { ArchiveCrumbs } from './ArchiveCrumbs.tsx'
import { ArchiveFile, type ArchiveTextProps } from './ArchiveFile.tsx'
import { ArchiveList } from './ArchiveList.tsx'
import './ArchiveView.css'

interface ArchiveViewProps {
  source: ArchiveSource
  /** The shown folder or file in the archive. */
  location: RequestPath
  /** Shows another folder or file of the archive. Without it, `location` is in the URL of the page. */
  onGo?: ((target: RequestPath) => void) | undefined
  /** Buttons beside the breadcrumbs. */
  actions?: ReactNode
  /** The component for texts. */
  Text: ComponentType<ArchiveTextProps>
}

/** The links of the rows, for the arrow keys. */
const ROW_LINKS = `.${ENTRY_TARGET}`

/** The content of an archive: a folder as a list, or a file. */
export function ArchiveView({ source, location, onGo, actions, Text }: ArchiveViewProps) {
  const { t } = useTranslation()
  const region = useRef<HTMLElement>(null)
  const [attempt, setAttempt] = useState(0)
  const folder = location.asFolder ? location.path : parentPath(location.path)
  const list = useAsync(`${source.key} ${folder} ${attempt}`, (signal) =>
    source.list(folder, signal),
  )
  useFocusAfterChange(region, location.path)

  function go(event: MouseEvent, target: RequestPath): void {
    if (!onGo || event.ctrlKey || event.metaKey || event.shiftKey) return
    event.preventDefault()
    onGo(target)
  }

  function onKeyDown(event: KeyboardEvent): void {
    if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return
    const goesUp = onGo && event.key === 'Backspace' && location.path !== ROOT
    if (goesUp) onGo({ path: parentPath(location.path), asFolder: true })
    if (goesUp || (region.current && moveFocus(region.current, event.key))) {
      event.preventDefault()
      event.stopPropagation()
    }
  }

  return (
    <section
      ref={region}
      className="ArchiveView"
      aria-label={t('archive.list')}
      tabIndex={-1}
      onKeyDown={onKeyDown}
    >
      <div className="ArchiveView__bar">
        <ArchiveCrumbs source={source} location={location} onGo={go} />
        {actions}
      </div>
      <div className="ArchiveView__body">
        {list.status === 'loading' && <Loading />}
        {list.status === 'failed' && (
          <Unreadable source={source} error={list.error} onRetry={() => setAttempt(attempt + 1)} />
        )}
        {list.status === 'loaded' && location.asFolder && (
          <ArchiveList key={folder} source={source} folder={list.value} onGo={go} />
        )}
        {list.status === 'loaded' && !location.asFolder && (
          <OneFile source={source} folder={list.value} location={location} Text={Text} />
        )}
      </div>
    </section>
  )
}

interface OneFileProps {
  source: ArchiveSource
  folder: ArchiveFolder
  location: RequestPath
  Text: ComponentType<ArchiveTextProps>
}

/** The file at `location`, which is an item of `folder`. */
function OneFile({ source, folder, location, Text }: OneFileProps) {
  const item = folder.items.find(({ path, isDir }) => path === location.path && !isDir)
  if (!item) return <Unreadable source={source} error={new Fault('notFound', '')} />
  return <ArchiveFile key={item.path} source={source} item={item} Text={Text} />
}

interface UnreadableProps {
  source: ArchiveSource
  error: unknown
  onRetry?: () => void
}

/**
 * The reason why the archive is not shown, a button that downloads the archive, and a button for another attempt if
 * that may succeed.
 */
function Unreadable({ source, error, onRetry }: UnreadableProps) {
  const { t } = useTranslation()
  const isFinal = isFault(error, 'unprocessable', 'tooLarge')
  return (
    <Empty
      picture={<Icon name="triangle-alert" />}
      title={t('archive.unreadable')}
      hint={faultText(error)}
      actions={
        <>
          <Button tone="accent" icon="download" onClick={() => download(source.url)}>
            {t('actions.download')}
          </Button>
          {onRetry && !isFinal && <Button onClick={onRetry}>{t('common.tryAgain')}</Button>}
        </>
      }
    />
  )
}

/**
 * Focuses the view after another folder or file is shown: the focused link has disappeared with its list, and the focus
 * has moved to the page, or to the dialog of Quick Look.
 */
function useFocusAfterChange(region: { current: HTMLElement | null }, path: string): void {
  const shown = useRef(path)
  useEffect(() => {
    if (shown.current === path) return
    shown.current = path
    if (document.activeElement === document.body || document.activeElement?.matches('dialog')) {
      region.current?.focus({ preventScroll: true })
    }
  }, [region, path])
}

/** @returns whether the key is one that moves the focus; the first and the last row keep it */
function moveFocus(region: HTMLElement, key: string): boolean {
  const focused = document.activeElement
  const rows = [...region.querySelectorAll<HTMLElement>(ROW_LINKS)]
  const index = rows.findIndex((row) => row.contains(focused))
  const isInView = index >= 0 || focused === region
  if (!isInView || rows.length === 0) return false
  const target = { ArrowDown: index + 1, ArrowUp: index - 1, Home: 0, End: rows.length - 1 }[key]
  if (target === undefined) return false
  rows[Math.max(0, Math.min(target, rows.length - 1))]?.focus()
  return true
}
