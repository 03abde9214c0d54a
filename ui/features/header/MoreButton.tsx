import { type ReactNode, useState } from 'react'
import { menuItems, type Surface } from '#ui/actions/surfaces.ts'
import { IconButton } from '#ui/components/controls/IconButton.tsx'
import { Menu } from '#ui/components/overlays/Menu.tsx'
import { useTranslation } from '#ui/i18n/i18n.ts'
import { useActionContext } from '#ui/state/action-context.ts'

interface MoreButtonProps {
  surface: Surface
  icon?: 'ellipsis' | 'ellipsis-vertical'
  /** A custom button in place of the three dots. */
  children?: (open: (button: HTMLElement) => void) => ReactNode
}

/** A button that opens a menu with the actions of a surface; it is hidden if there are none. */
export function MoreButton({ surface, icon = 'ellipsis-vertical', children }: MoreButtonProps) {
  const { t } = useTranslation()
  const context = useActionContext()
  const [anchor, setAnchor] = useState<HTMLElement | null>(null)
  const items = menuItems(surface, context)
  if (items.length === 0) return null
  // The browser has already closed an open menu when its button is clicked: the click must not open it again.
  const toggle = (button: HTMLElement) => setAnchor(anchor ? null : button)
  return (
    <>
      {children?.(toggle) ?? (
        <IconButton
          icon={icon}
          label={t('common.more')}
          aria-haspopup="menu"
          aria-expanded={anchor !== null}
          onClick={(event) => toggle(event.currentTarget)}
        />
      )}
      {anchor && (
        <Menu
          label={t('common.more')}
          items={items}
          anchor={anchor}
          onClose={() => setAnchor(null)}
        />
      )}
    </>
  )
}
