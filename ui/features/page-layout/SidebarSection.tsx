import { type ReactNode, useId } from 'react'
import { useSnapshot } from 'valtio'
import { Icon } from '#ui/components/icons/Icon.tsx'
import { useTranslation } from '#ui/i18n/i18n.ts'
import { layout } from '#ui/state/view/layout.ts'
import './SidebarSection.css'

interface SidebarSectionProps {
  name: 'favourites' | 'recent' | 'folders'
  /** Whether folders that are dropped on it become favourites. */
  dropsFavourites?: true
  children: ReactNode
}

/** A collapsible section of the sidebar. */
export function SidebarSection({ name, dropsFavourites, children }: SidebarSectionProps) {
  const { t } = useTranslation()
  const id = useId()
  const key = `${name}Open` as const
  const isOpen = useSnapshot(layout)[key]
  const label = t(`sidebar.${name}`)
  return (
    <section
      className="SidebarSection"
      aria-label={label}
      data-drop-favourites={dropsFavourites && ''}
    >
      <button
        type="button"
        className="SidebarSection__title"
        aria-expanded={isOpen}
        aria-controls={id}
        data-stays
        onClick={() => {
          layout[key] = !isOpen
        }}
      >
        <Icon name={isOpen ? 'chevron-down' : 'chevron-right'} mirror={!isOpen} />
        {label}
      </button>
      <div id={id}>{isOpen && children}</div>
    </section>
  )
}
