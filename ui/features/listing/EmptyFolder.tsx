import type { ReactNode } from 'react'
import { type ActionId, actionOf, perform } from '#ui/actions/registry.ts'
import type { Surface } from '#ui/actions/surfaces.ts'
import { Button } from '#ui/components/controls/Button.tsx'
import { Empty } from '#ui/components/feedback/Empty.tsx'
import { useMedia } from '#ui/components/hooks/use-media.ts'
import { useTranslation } from '#ui/i18n/i18n.ts'
import type { Anchor } from '#ui/lib/gestures/menu-position.ts'
import { FOLDER_ICON } from '#ui/lib/icons.ts'
import { TOUCH } from '#ui/lib/page/media.ts'
import { useActionContext } from '#ui/state/action-context.ts'
import './EmptyFolder.css'

interface EmptyFolderProps {
  openMenu(menu: { surface: Surface; anchor: Anchor }): void
  /** The open context menu. */
  children?: ReactNode
}

/** An empty folder, with the actions that add content. */
export function EmptyFolder({ openMenu, children }: EmptyFolderProps) {
  const { t } = useTranslation()
  const context = useActionContext()
  const isTouch = useMedia(TOUCH)
  const offered = OFFERED.map(actionOf).filter((action) => action.when(context))
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the same actions are buttons on the page
    <div
      className="EmptyFolder"
      onContextMenu={(event) => {
        event.preventDefault()
        openMenu({ surface: 'page', anchor: { x: event.clientX, y: event.clientY } })
      }}
    >
      <Empty
        picture={
          <svg viewBox="0 0 24 24" aria-hidden="true">
            <path className="EmptyFolder__back" d={FOLDER_ICON.back} />
            <path className="EmptyFolder__front" d={FOLDER_ICON.front} />
          </svg>
        }
        title={t('emptyFolder.title')}
        hint={t(hintFor(offered.length > 0, isTouch))}
        actions={offered.map((action, index) => (
          <Button
            key={action.id}
            icon={action.icon}
            {...(index === 0 && { tone: 'accent' })}
            onClick={() => perform(action)}
          >
            {t(action.label)}
          </Button>
        ))}
      />
      {children}
    </div>
  )
}

/** @returns the key of the hint; on a touch screen it does not mention dropping files */
function hintFor(mayAdd: boolean, isTouch: boolean) {
  if (!mayAdd) return 'emptyFolder.plainHint'
  return isTouch ? 'emptyFolder.touchHint' : 'emptyFolder.hint'
}

const OFFERED: readonly ActionId[] = ['upload', 'newFolder']
