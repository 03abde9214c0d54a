import {
  type ComponentProps,
  type KeyboardEvent,
  type ReactNode,
  useCallback,
  useEffect,
  useId,
  useRef,
} from 'react'
import { Button } from '#ui/components/controls/Button.tsx'
import { useDelayedEmpty } from '#ui/components/hooks/use-delayed-empty.ts'
import { FileIcon } from '#ui/components/icons/FileIcon.tsx'
import { Icon } from '#ui/components/icons/Icon.tsx'
import { Name } from '#ui/components/icons/Name.tsx'
import { faultText } from '#ui/i18n/faults.ts'
import { useTranslation } from '#ui/i18n/i18n.ts'
import { UI_LIMITS } from '#ui/lib/limits.ts'
import { nameOf, ROOT, type TreePath } from '#wire/paths.ts'
import { autofocus } from '../parts/autofocus.ts'
import './FolderList.css'

interface FolderListProps {
  /** The folders to show; undefined while they load. */
  folders: readonly TreePath[] | undefined
  fault: unknown
  marked: TreePath | null
  opensByClick: boolean
  /** Whether there is a parent folder. */
  hasParent: boolean
  onMark(folder: TreePath | null): void
  onOpen(folder: TreePath): void
  onGoUp(): void
  onRetry(): void
}

/**
 * The list box of folders: the vertical arrow keys mark a folder. Enter or the arrow key in reading direction opens it,
 * the opposite arrow key or Backspace opens the parent folder, and a letter marks the next folder that begins with it.
 */
export function FolderList(props: FolderListProps) {
  const { fault, marked, opensByClick, onMark, onOpen, onRetry } = props
  const { t } = useTranslation()
  const id = useId()
  const list = useRef<HTMLDivElement>(null)
  const hasFocus = useRef(false)
  const { value: folders } = useDelayedEmpty(props.folders ?? null, UI_LIMITS.skeletonDelayMs)
  const markedIndex = marked === null ? -1 : (folders?.indexOf(marked) ?? -1)

  /** Moves the focus to the new element when the list replaces the status text, or the text the list. */
  const attach = useCallback((element: HTMLDivElement | null) => {
    autofocus(element)
    list.current = element
    if (hasFocus.current) element?.focus()
  }, [])

  useEffect(() => {
    list.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest' })
  })

  function onKeyDown(event: KeyboardEvent<HTMLDivElement>) {
    const apply = keyHandler(event, markedIndex, folders ?? [], props)
    if (!apply) return
    event.preventDefault()
    apply()
  }

  const handlers = {
    ref: attach,
    onKeyDown,
    onFocus: () => {
      hasFocus.current = true
    },
    onBlur: () => {
      hasFocus.current = false
    },
  }
  if (fault !== undefined) {
    return (
      <Status key="fault" {...handlers}>
        <p>{faultText(fault)}</p>
        <Button onClick={onRetry}>{t('common.tryAgain')}</Button>
      </Status>
    )
  }
  if (folders === null) return <Status {...handlers}>{t('common.loading')}</Status>
  if (folders.length === 0) return <Status {...handlers}>{t('prompts.folders.none')}</Status>
  return (
    <div
      {...handlers}
      className="FolderList"
      role="listbox"
      tabIndex={0}
      aria-label={t('prompts.folders.label')}
      aria-activedescendant={markedIndex >= 0 ? `${id}${markedIndex}` : undefined}
    >
      {folders.map((folder, index) => (
        // biome-ignore lint/a11y/useKeyWithClickEvents: the list handles the keys
        // biome-ignore lint/a11y/useFocusableInteractive: the list has the focus and `aria-activedescendant`
        <div
          key={folder}
          id={`${id}${index}`}
          className="FolderList__row"
          role="option"
          aria-selected={folder === marked}
          onClick={({ target }) =>
            opensByClick || isOpener(target) ? onOpen(folder) : onMark(folder)
          }
          onDoubleClick={() => onOpen(folder)}
        >
          <FileIcon entry={{ name: '', isDir: true, type: '' }} />
          <Name>{nameOf(folder)}</Name>
          <span
            className="FolderList__open"
            title={t('prompts.folders.open', { name: nameOf(folder) })}
          >
            <Icon name="chevron-right" mirror />
          </span>
        </div>
      ))}
    </div>
  )
}

type StatusProps = Pick<ComponentProps<'div'>, 'ref' | 'onKeyDown' | 'onFocus' | 'onBlur'>

/** The message in place of an empty list, because a list box may only contain options. */
function Status({ children, ...handlers }: StatusProps & { children: ReactNode }) {
  return (
    <div {...handlers} className="FolderList__message" role="status" tabIndex={-1}>
      {children}
    </div>
  )
}

/** Whether the click was on the arrow at the end of a row. It is no button, because an option cannot contain one. */
function isOpener(target: EventTarget): boolean {
  return target instanceof Element && target.closest('.FolderList__open') !== null
}

type Steps = Pick<FolderListProps, 'hasParent' | 'onMark' | 'onOpen' | 'onGoUp'>

/** The effect of a key while the folder at `index` is marked; undefined for keys without an effect. */
function keyHandler(
  { key, currentTarget, ctrlKey, metaKey, altKey }: KeyboardEvent<HTMLElement>,
  index: number,
  folders: readonly TreePath[],
  { hasParent, onMark, onOpen, onGoUp }: Steps,
): (() => void) | undefined {
  if (ctrlKey || metaKey || altKey) return undefined
  const isRightToLeft = getComputedStyle(currentTarget).direction === 'rtl'
  const marked = folders[index]
  const mark = (index: number) => () => onMark(folders[index] ?? null)
  const open = marked && (() => onOpen(marked))
  const goUp = hasParent ? onGoUp : undefined
  switch (key) {
    case 'ArrowDown':
      return mark(Math.min(index + 1, folders.length - 1))
    case 'ArrowUp':
      return mark(Math.max(index - 1, 0))
    case 'Home':
      return mark(0)
    case 'End':
      return mark(folders.length - 1)
    case 'Enter':
      return open
    case 'ArrowRight':
      return isRightToLeft ? goUp : open
    case 'ArrowLeft':
      return isRightToLeft ? open : goUp
    case 'Backspace':
      return goUp
    default:
      return typeAhead(key, index, folders, mark)
  }
}

/** Marks the next folder whose name begins with the typed letter. */
function typeAhead(
  key: string,
  index: number,
  folders: readonly TreePath[],
  mark: (index: number) => () => void,
): (() => void) | undefined {
  if ([...key].length !== 1 || key === ' ') return undefined
  const letter = key.toLocaleLowerCase()
  const order = folders.map((_, step) => (index + 1 + step) % folders.length)
  const next = order.find((candidate) =>
    nameOf(folders[candidate] ?? ROOT)
      .toLocaleLowerCase()
      .startsWith(letter),
  )
  return next === undefined ? undefined : mark(next)
}
