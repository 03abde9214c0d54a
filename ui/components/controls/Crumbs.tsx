import type { MouseEvent, ReactNode, Ref } from 'react'
import { Link } from 'wouter'
import { useTranslation } from '#ui/i18n/i18n.ts'
import { Icon, type IconName } from '../icons/Icon.tsx'
import { Name } from '../icons/Name.tsx'
import './Crumbs.css'

export interface CrumbPart {
  key: string
  name: string
  /** Undefined for the current page, if it is no link. */
  href?: string | undefined
  icon?: IconName
  /** Only the icon is visible; the name is for assistive technology. */
  isIconOnly?: boolean
  /** The destination of entries that are dropped on this part. */
  dropPath?: string
  /** Called before the navigation, which it can prevent. */
  onClick?(event: MouseEvent<HTMLAnchorElement>): void
  /** Replaces the arrow before this part. */
  arrow?: ReactNode
}

interface CrumbsProps {
  parts: readonly CrumbPart[]
  /** The name of the landmark, if it is not that of the page. */
  label?: string
  nav?: Ref<HTMLElement>
  /** A button in place of the parts that do not fit, before the part with this index. */
  gap?: { index: number; button: ReactNode } | undefined
}

/** For `useFolds`: only the last part can shrink, so it is truncated if the bar is too narrow. */
export function isLastCut(nav: HTMLElement): boolean {
  // Of a long name, only the beginning shrinks.
  const last = nav.querySelector('li:last-child .Name')
  const name = last?.querySelector('.Name__start') ?? last
  return name != null && name.scrollWidth > name.clientWidth
}

/** The breadcrumbs of a folder; the last part is the shown folder. */
export function Crumbs({ parts, label, nav, gap }: CrumbsProps) {
  const { t } = useTranslation()
  return (
    <nav ref={nav} className="Crumbs" aria-label={label ?? t('places.path')}>
      <ol>
        {parts.map((part, index) => (
          <CrumbItem
            key={part.key}
            part={part}
            isFirst={index === 0}
            isCurrent={index === parts.length - 1}
            before={gap?.index === index ? gap.button : undefined}
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
  const { name, href, icon, isIconOnly = false, dropPath, arrow, onClick } = part
  const common = {
    className: 'Crumbs__part',
    title: name,
    'aria-current': isCurrent ? ('page' as const) : undefined,
    'aria-label': isIconOnly ? name : undefined,
  }
  const content = (
    <>
      {icon && <Icon name={icon} />}
      {!isIconOnly && (isCurrent ? <Name>{name}</Name> : <bdi>{name}</bdi>)}
    </>
  )
  return (
    <>
      {before && (
        <li>
          {!isFirst && <Icon name="chevron-right" mirror />}
          {before}
        </li>
      )}
      <li>
        {(!isFirst || before) && (arrow ?? <Icon name="chevron-right" mirror />)}
        {href === undefined ? (
          <span {...common}>{content}</span>
        ) : (
          <Link {...common} href={href} data-drop-path={dropPath} {...(onClick && { onClick })}>
            {content}
          </Link>
        )}
      </li>
    </>
  )
}
