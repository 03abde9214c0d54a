import type { ReactNode, Ref } from 'react'
import { Link } from 'wouter'
import { useTranslation } from '#ui/i18n/i18n.ts'
import { Icon, type IconName } from './Icon.tsx'
import './Crumbs.css'

export interface CrumbPart {
  key: string
  name: string
  href: string
  icon?: IconName
  /** The icon stands for the name, which is only spoken. */
  iconOnly?: boolean
  /** The folder that things dropped on it go to. */
  dropPath?: string
}

interface CrumbsProps {
  parts: readonly CrumbPart[]
  nav?: Ref<HTMLElement>
  /** In place of what has no room: before the part of this number. */
  gap?: { at: number; button: ReactNode } | undefined
}

/** For `useFolds`: only the last part gives way, so it is cut as soon as all of them have too little room. */
export function isLastCut(nav: HTMLElement): boolean {
  const name = nav.querySelector('li:last-child bdi')
  return name !== null && name.scrollWidth > name.clientWidth
}

/** The way down to a folder; the last part is where one is. */
export function Crumbs({ parts, nav, gap }: CrumbsProps) {
  const { t } = useTranslation()
  return (
    <nav ref={nav} className="Crumbs" aria-label={t('places.path')}>
      <ol>
        {parts.map((part, at) => (
          <CrumbItem
            key={part.key}
            part={part}
            isFirst={at === 0}
            isCurrent={at === parts.length - 1}
            before={gap?.at === at ? gap.button : undefined}
          />
        ))}
      </ol>
    </nav>
  )
}

interface CrumbItemProps {
  part: CrumbPart
  isFirst: boolean
  isCurrent: boolean
  before: ReactNode
}

function CrumbItem({ part, isFirst, isCurrent, before }: CrumbItemProps) {
  const { name, href, icon, iconOnly = false, dropPath } = part
  return (
    <>
      {before && (
        <li>
          {!isFirst && <Icon name="chevron-right" mirror />}
          {before}
        </li>
      )}
      <li>
        {(!isFirst || before) && <Icon name="chevron-right" mirror />}
        <Link
          className="Crumbs__part"
          href={href}
          title={name}
          data-drop-path={dropPath}
          aria-current={isCurrent ? 'page' : undefined}
          aria-label={iconOnly ? name : undefined}
        >
          {icon && <Icon name={icon} />}
          {!iconOnly && <bdi>{name}</bdi>}
        </Link>
      </li>
    </>
  )
}
