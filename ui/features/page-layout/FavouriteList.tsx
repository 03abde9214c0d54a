import {
  type DragEvent,
  type KeyboardEvent,
  type ReactNode,
  useEffect,
  useRef,
  useState,
} from 'react'
import { useSnapshot } from 'valtio'
import { Link } from 'wouter'
import { IconButton } from '#ui/components/controls/IconButton.tsx'
import { useMedia } from '#ui/components/hooks/use-media.ts'
import { Icon } from '#ui/components/icons/Icon.tsx'
import { useTranslation } from '#ui/i18n/i18n.ts'
import { shownName } from '#ui/lib/entries/shown-name.ts'
import { filesUrl } from '#ui/lib/page/location.ts'
import { TOUCH } from '#ui/lib/page/media.ts'
import {
  favourites,
  loadFavourites,
  moveFavourite,
  removeFavourite,
} from '#ui/state/folder/favourites.ts'
import { listing } from '#ui/state/folder/listing.ts'
import { toastError } from '#ui/state/messages/toasts.ts'
import { onReconnect } from '#ui/state/session/connection.ts'
import { layout } from '#ui/state/view/layout.ts'
import { nameOf, type TreePath } from '#wire/paths.ts'
import { FavouriteHandle } from './FavouriteHandle.tsx'
import './FavouriteList.css'

/** Identifies the drag for drop targets. */
const DRAG_TYPE = 'application/x-filemgr-favourite'

/** The place in the list to which a favourite would move. */
interface Target {
  index: number
  isBehind: boolean
}

/**
 * Favourite folders in the user's order, which is changed by dragging (on a touch screen by a handle), or with Alt and the
 * arrow keys.
 */
export function FavouriteList() {
  const { t } = useTranslation()
  const { paths } = useSnapshot(favourites)
  const isTouch = useMedia(TOUCH)
  const list = useRef<HTMLUListElement>(null)
  const dragged = useRef<TreePath>(undefined)
  /** The index over which a favourite is dragged, and whether it would move behind it. */
  const [over, setShownOver] = useState<Target>()
  /** As `over`, also before the page is drawn again: a drop may come at once after the last move. */
  const target = useRef<Target>(undefined)
  const { hasUsedFavourites } = useSnapshot(layout)
  const isUsed = (paths?.length ?? 0) > 0

  useEffect(() => {
    // The connection banner reports a failure.
    const load = () => void loadFavourites().catch(() => undefined)
    load()
    return onReconnect(load)
  }, [])

  useEffect(() => {
    if (isUsed) layout.hasUsedFavourites = true
  }, [isUsed])

  if (!paths) return null

  function onKeyDown(event: KeyboardEvent, path: TreePath, index: number): void {
    if (!event.altKey || (event.key !== 'ArrowUp' && event.key !== 'ArrowDown')) return
    event.preventDefault()
    event.stopPropagation()
    move(path, event.key === 'ArrowUp' ? index - 1 : index + 2)
  }

  function setOver(next: Target | undefined): void {
    target.current = next
    setShownOver(next)
  }

  /** A favourite takes the place of the one that it is dropped on: the others move towards its old place. */
  function onDragOver(event: DragEvent, index: number): void {
    if (dragged.current === undefined) return
    event.preventDefault()
    const isBehind = (paths?.indexOf(dragged.current) ?? 0) < index
    if (target.current?.index !== index) setOver({ index, isBehind })
  }

  function onDrop(event: DragEvent): void {
    if (dragged.current === undefined || !target.current) return
    event.preventDefault()
    drop(dragged.current)
  }

  /** The finger is at this height of the window. */
  function onFinger(from: number, y: number): void {
    const rows = [...(list.current?.children ?? [])]
    const index = rows.findIndex((row) => y < row.getBoundingClientRect().bottom)
    const last = index < 0 ? rows.length - 1 : index
    if (target.current?.index !== last) setOver({ index: last, isBehind: from < last })
  }

  function drop(path: TreePath): void {
    const to = target.current
    if (to) move(path, to.index + Number(to.isBehind))
    setOver(undefined)
  }

  function hint(): string {
    // On a touch screen folders cannot be dragged here: the menu of a folder adds it.
    if (isTouch) return t('sidebar.noFavouritesTouch', { action: t('actions.addFavourite') })
    return t('sidebar.noFavourites')
  }

  return (
    <>
      {paths.length > 0 && (
        <ul ref={list} className="FavouriteList">
          {paths.map((path, index) => (
            <li
              key={path}
              data-over={over?.index === index ? (over.isBehind ? 'behind' : 'before') : undefined}
              onDragOver={(event) => onDragOver(event, index)}
              onDrop={onDrop}
            >
              <FavouriteRow
                path={path}
                onKeyDown={(event) => onKeyDown(event, path, index)}
                onDrag={(isBeginning) => {
                  dragged.current = isBeginning ? path : undefined
                  setOver(undefined)
                }}
                handle={
                  isTouch && paths.length > 1 ? (
                    <FavouriteHandle
                      path={path}
                      onMove={(y) => onFinger(index, y)}
                      onDrop={() => drop(path)}
                      onCancel={() => setOver(undefined)}
                      // The first one becomes the last.
                      onTap={() => move(path, index === 0 ? paths.length : index - 1)}
                    />
                  ) : undefined
                }
              />
            </li>
          ))}
        </ul>
      )}
      {/* The same while something is dragged: nothing below it may move away from the pointer. */}
      {!(isUsed || hasUsedFavourites) && <p className="SidebarSection__hint">{hint()}</p>}
    </>
  )
}

interface FavouriteRowProps {
  path: TreePath
  onKeyDown(event: KeyboardEvent): void
  /** Called when a drag of the row begins, and when it ends. */
  onDrag(isBeginning: boolean): void
  handle: ReactNode
}

function FavouriteRow({ path, onKeyDown, onDrag, handle }: FavouriteRowProps) {
  const { t } = useTranslation()
  const shown = useSnapshot(listing)
  const name = shownName(nameOf(path)).text || t('places.home')
  return (
    <>
      <Link
        className="Sidebar__item"
        href={filesUrl(path, true)}
        title={path}
        data-drop-path={path}
        aria-current={shown.entry && shown.path === path ? 'page' : undefined}
        aria-keyshortcuts="Alt+ArrowUp Alt+ArrowDown"
        onKeyDown={onKeyDown}
        onDragStart={(event: DragEvent) => {
          event.dataTransfer.setData(DRAG_TYPE, '')
          event.dataTransfer.effectAllowed = 'move'
          onDrag(true)
        }}
        onDragEnd={() => onDrag(false)}
      >
        <Icon name="star" />
        <bdi className="Sidebar__label">{name}</bdi>
      </Link>
      {handle}
      <IconButton
        icon="x"
        size="s"
        label={t('sidebar.removeFavourite', { name })}
        data-stays
        onClick={() => removeFavourite(path).catch(toastError)}
      />
    </>
  )
}

function move(path: TreePath, to: number): void {
  moveFavourite(path, to).catch(toastError)
}
