import { type CSSProperties, type KeyboardEvent, type MouseEvent, useEffect, useRef } from 'react'
import { useSnapshot } from 'valtio'
import { Link } from 'wouter'
import { Icon } from '#ui/components/icons/Icon.tsx'
import { useTranslation } from '#ui/i18n/i18n.ts'
import { shownName } from '#ui/lib/entries/shown-name.ts'
import { ON_DEMAND_LIMITS } from '#ui/lib/on-demand-limits.ts'
import { isRightToLeft } from '#ui/lib/page/direction.ts'
import { filesUrl } from '#ui/lib/page/location.ts'
import { useActionContext } from '#ui/state/action-context.ts'
import { closeBranch, folderTree, openBranch, openTo } from '#ui/state/folder/folder-tree.ts'
import { toastError } from '#ui/state/messages/toasts.ts'
import { nameOf, parentPath, ROOT, segmentsOf, type TreePath } from '#wire/paths.ts'
import './FolderTree.css'

/**
 * The folder tree. Subfolders are loaded when a folder is opened. The tree opens down to the shown folder, and its
 * folders are drop targets.
 */
export function FolderTree() {
  const { t } = useTranslation()
  const { open, folders } = useSnapshot(folderTree)
  const { page, path } = useActionContext()
  const tree = useRef<HTMLDivElement>(null)
  const current = page === 'file' ? parentPath(path) : path
  const rows = rowsBelow(ROOT)
  /** The row of the shown folder, once it exists. */
  const shown = page !== 'elsewhere' && rows.includes(current) ? current : undefined

  useEffect(() => {
    if (page !== 'elsewhere') openTo(current).catch(() => undefined)
    else openBranch(ROOT).catch(() => undefined)
  }, [current, page])

  useEffect(() => {
    if (shown === undefined) return
    const scroller = tree.current?.closest('.Sidebar__scroll')
    // In the drawer and in low windows the whole sidebar would scroll, which would hide its beginning.
    if (!scroller || scroller.scrollHeight <= scroller.clientHeight) return
    tree.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest' })
  }, [shown])

  if (rows.length === 0) {
    return folders[ROOT] && <p className="SidebarSection__hint">{t('sidebar.noFolders')}</p>
  }
  const focusable = shown ?? rows[0]
  return (
    <div ref={tree} className="FolderTree" role="tree" aria-label={t('sidebar.folders')}>
      {rows.map((row) => (
        <Branch
          key={row}
          path={row}
          isOpen={open[row] ?? false}
          isEmpty={folders[row]?.length === 0}
          isCurrent={row === shown}
          isFocusable={row === focusable}
        />
      ))}
    </div>
  )

  /** The visible rows below a folder, from top to bottom. */
  function rowsBelow(folder: TreePath): TreePath[] {
    if (folder !== ROOT && !open[folder]) return []
    return (folders[folder] ?? []).flatMap((path) => [path, ...rowsBelow(path)])
  }
}

interface BranchProps {
  path: TreePath
  isOpen: boolean
  /** Whether the folder is known to have no subfolders. */
  isEmpty: boolean
  isCurrent: boolean
  isFocusable: boolean
}

function Branch({ path, isOpen, isEmpty, isCurrent, isFocusable }: BranchProps) {
  const depth = segmentsOf(path).length

  function onArrowClick(event: MouseEvent): void {
    event.preventDefault()
    event.stopPropagation()
    setOpen(path, !isOpen)
  }

  return (
    <Link
      className="Sidebar__item"
      role="treeitem"
      href={filesUrl(path, true)}
      title={path}
      tabIndex={isFocusable ? 0 : -1}
      aria-level={depth}
      aria-expanded={isEmpty ? undefined : isOpen}
      aria-selected={isCurrent}
      aria-current={isCurrent ? 'page' : undefined}
      data-drop-path={path}
      style={{ '--depth': Math.min(depth - 1, ON_DEMAND_LIMITS.treeIndentsMax) } as CSSProperties}
      onKeyDown={(event: KeyboardEvent<HTMLElement>) => onKeyDown(event, path, isOpen, isEmpty)}
    >
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the tree item handles the arrow keys */}
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: as above */}
      <span className="FolderTree__toggle" data-none={isEmpty || undefined} onClick={onArrowClick}>
        <Icon name={isOpen ? 'chevron-down' : 'chevron-right'} mirror={!isOpen} />
      </span>
      <Icon name={isOpen && !isEmpty ? 'folder-open' : 'folder'} />
      <bdi className="Sidebar__label">{shownName(nameOf(path)).text}</bdi>
    </Link>
  )
}

function setOpen(path: TreePath, isOpen: boolean): void {
  if (isOpen) openBranch(path).catch(toastError)
  else closeBranch(path)
}

/** The keyboard interaction of a tree (WAI-ARIA): up and down through visible rows, into and out of branches. */
function onKeyDown(
  event: KeyboardEvent<HTMLElement>,
  path: TreePath,
  isOpen: boolean,
  isEmpty: boolean,
): void {
  const [into, out] = isRightToLeft() ? ['ArrowLeft', 'ArrowRight'] : ['ArrowRight', 'ArrowLeft']
  const items = [
    ...(event.currentTarget.parentElement?.querySelectorAll<HTMLElement>('[role=treeitem]') ?? []),
  ]
  const index = items.indexOf(event.currentTarget)
  const level = Number(event.currentTarget.ariaLevel)
  const { key } = event
  if (event.altKey || event.ctrlKey || event.metaKey) return
  if (key === 'ArrowDown') items[index + 1]?.focus()
  else if (key === 'ArrowUp') items[index - 1]?.focus()
  else if (key === 'Home') items[0]?.focus()
  else if (key === 'End') items.at(-1)?.focus()
  else if (key === into && !isOpen && !isEmpty) setOpen(path, true)
  else if (key === into) items[index + 1]?.focus()
  else if (key === out && isOpen && !isEmpty) setOpen(path, false)
  else if (key === out) {
    items
      .slice(0, index)
      .findLast((item) => Number(item.ariaLevel) < level)
      ?.focus()
  } else return
  event.preventDefault()
  event.stopPropagation()
}
