import { type KeyboardEvent, type ReactNode, useRef } from 'react'
import { createPortal } from 'react-dom'
import { withoutDisguise } from '#ui/lib/entries/shown-name.ts'
import { ariaKeys, keyLabel } from '#ui/lib/gestures/keys.ts'
import type { Anchor } from '#ui/lib/gestures/menu-position.ts'
import { Icon, type IconName } from '../icons/Icon.tsx'
import { popoverHost, usePopover } from './use-popover.ts'
import './Menu.css'

export interface MenuItem {
  id: string
  label: string
  icon?: IconName | undefined
  mirror?: boolean
  keys?: string | undefined
  danger?: boolean
  /** For a toggle: whether it is on. */
  checked?: boolean | undefined
  /** A separator above: this item begins a group. */
  startsGroup?: boolean
  onSelect(): void
}

interface MenuProps {
  label: string
  /** The heading of the bottom sheet, which is not beside the entry that it belongs to. */
  heading?: string | undefined
  items: readonly MenuItem[]
  /** A point, or the button that opens the menu. */
  anchor: Anchor
  onClose(): void
}

/**
 * A menu in the top layer with arrow key navigation; in narrow windows a sheet at the bottom edge. It is open while
 * it is mounted.
 */
export function Menu({ label, heading, items, anchor, onClose }: MenuProps) {
  const menu = useRef<HTMLDivElement>(null)
  const hasIcons = items.some((item) => item.icon)
  usePopover(menu, { anchor, onClose, firstFocus: (element) => itemsIn(element)[0] })

  return createPortal(
    <div
      ref={menu}
      className="Menu"
      role="menu"
      tabIndex={-1}
      aria-label={label}
      popover="auto"
      onKeyDown={onMenuKeyDown}
      onContextMenu={(event) => event.preventDefault()}
    >
      {heading && (
        <p className="Menu__heading narrow-only" aria-hidden="true">
          <bdi>{withoutDisguise(heading)}</bdi>
        </p>
      )}
      {items.map((item) => (
        <MenuRow key={item.id} item={item} hasIcons={hasIcons} onClose={onClose} />
      ))}
    </div>,
    popoverHost(anchor),
  )
}

interface MenuRowProps {
  item: MenuItem
  /** Whether rows of this menu have icons: a row without one keeps the space free. */
  hasIcons: boolean
  onClose(): void
}

function MenuRow({ item, hasIcons, onClose }: MenuRowProps): ReactNode {
  function select() {
    onClose()
    item.onSelect()
  }
  return (
    <>
      {item.startsGroup && <hr className="Menu__line" />}
      <button
        type="button"
        className="Menu__item"
        role="menuitem"
        {...(item.checked !== undefined && {
          role: 'menuitemcheckbox',
          'aria-checked': item.checked,
        })}
        tabIndex={-1}
        aria-keyshortcuts={item.keys && ariaKeys(item.keys)}
        data-tone={item.danger ? 'danger' : undefined}
        onClick={select}
      >
        {item.icon && <Icon name={item.icon} mirror={item.mirror ?? false} />}
        {!item.icon && hasIcons && <span className="Menu__gap" />}
        <span className="Menu__label">{item.label}</span>
        {item.keys && (
          <span className="Menu__keys" aria-hidden="true">
            {keyLabel(item.keys)}
          </span>
        )}
      </button>
    </>
  )
}

function onMenuKeyDown(event: KeyboardEvent<HTMLElement>): void {
  const items = itemsIn(event.currentTarget)
  const focused = items.indexOf(document.activeElement as HTMLElement)
  const target = step(event.key, focused, items)
  if (target === undefined) return
  event.preventDefault()
  event.stopPropagation()
  items[target]?.focus()
}

/**
 * @param focused the index of the focused item
 * @returns the index of the item that the key moves the focus to; undefined for other keys
 */
function step(key: string, focused: number, items: HTMLElement[]): number | undefined {
  const count = items.length
  if (key === 'ArrowDown') return (focused + 1) % count
  if (key === 'ArrowUp') return (focused - 1 + count) % count
  if (key === 'Home') return 0
  if (key === 'End') return count - 1
  if (key === 'Tab') return focused
  if ([...key].length !== 1 || key === ' ') return undefined
  const letter = key.toLocaleLowerCase()
  const order = items.map((_, index) => (focused + 1 + index) % count)
  return order.find((index) =>
    items[index]?.textContent?.trim().toLocaleLowerCase().startsWith(letter),
  )
}

function itemsIn(menu: HTMLElement): HTMLElement[] {
  return [...menu.querySelectorAll<HTMLElement>('[role^="menuitem"]')]
}
