import type { ReactNode } from 'react'
import { actionOf, perform } from '#ui/actions/registry.ts'
import { actionLabel } from '#ui/actions/surfaces.ts'
import { IconButton } from '#ui/components/controls/IconButton.tsx'
import { useAsync } from '#ui/components/hooks/use-async.ts'
import { useSwipe } from '#ui/components/hooks/use-swipe.ts'
import { Name } from '#ui/components/icons/Name.tsx'
import { StepButtons } from '#ui/features/preview/StepButtons.tsx'
import { formatDate, formatFullDate, formatNumber, formatSize } from '#ui/i18n/format.ts'
import { useTranslation } from '#ui/i18n/i18n.ts'
import { formatLength } from '#ui/i18n/length.ts'
import { formatTaken } from '#ui/i18n/media-format.ts'
import { useActionContext } from '#ui/state/action-context.ts'
import { useFileSource } from '#ui/state/file/file-source.ts'
import type { FileEntry } from '#wire/api/entry.ts'
import type { MediaFacts } from '#wire/api/media.ts'
import './ShareViewer.css'

interface ShareViewerProps {
  name: string
  /** The file; undefined while it loads. */
  file: FileEntry | undefined
  children: ReactNode
}

/** A file of a shared folder, in the whole window: a bar, and the viewer that users have, too. */
export function ShareViewer({ name, file, children }: ShareViewerProps) {
  const { t } = useTranslation()
  const context = useActionContext()
  const isOnBlack = context.viewer === 'image' || context.viewer === 'video'
  const isText = context.viewer === 'text'
  const swipe = useSwipe((direction) => void perform(actionOf(direction)))
  const { rank } = context
  return (
    <div className="ShareViewer" data-on-black={isOnBlack || undefined}>
      <header className="ShareViewer__bar">
        <div className="ShareViewer__text">
          <h1 className="ShareViewer__name">
            <Name>{name}</Name>
          </h1>
          <p className="ShareViewer__facts" aria-live="polite">
            {rank && rank.of > 1 && (
              <span>
                {t('gallery.count', { at: formatNumber(rank.at), of: formatNumber(rank.of) })}
              </span>
            )}
            {file && <Facts key={`${file.path} ${file.modified}`} file={file} />}
          </p>
        </div>
        <StepButtons />
        {BAR.map(actionOf)
          .filter((action) => action.when(context))
          .map((action) => (
            <span
              key={action.id}
              className={WIDE_ONLY.includes(action.id) ? 'wide-only' : undefined}
            >
              <IconButton
                icon={action.icon}
                label={actionLabel(action, context)}
                {...(action.pressed && { pressed: action.pressed(context) })}
                onClick={() => void perform(action)}
              />
            </span>
          ))}
      </header>
      <main className="ShareViewer__main" data-swiped={isText || undefined} {...(isText && swipe)}>
        {children}
      </main>
    </div>
  )
}

const BAR = [
  'showText',
  'showTable',
  'inFull',
  'fullScreen',
  'viewRaw',
  'download',
  'closeFile',
] as const
const WIDE_ONLY: readonly string[] = ['inFull', 'fullScreen', 'viewRaw']

/** The size of a file, and when it was taken or changed; the dimensions of a picture and the length of a film. */
function Facts({ file }: { file: FileEntry }) {
  const source = useFileSource()
  const isMedia = file.type === 'image' || file.type === 'video' || file.type === 'audio'
  const loaded = useAsync(isMedia ? file.path : undefined, (signal) =>
    source.facts(file.path, signal),
  )
  if (isMedia && loaded.status === 'loading') return null
  const facts: MediaFacts = loaded.status === 'loaded' ? loaded.value : {}
  const { width, height, seconds, taken } = facts
  return (
    <>
      <span title={formatFullDate(file.modified)}>
        {taken ? formatTaken(taken) : formatDate(file.modified)}
      </span>
      {seconds !== undefined && <span>{formatLength(seconds)}</span>}
      {width && height && (
        <bdi>
          {formatNumber(width)} × {formatNumber(height)}
        </bdi>
      )}
      <bdi>{formatSize(file.size)}</bdi>
    </>
  )
}
