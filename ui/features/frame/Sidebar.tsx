import { type ReactNode, Suspense } from 'react'
import { useSnapshot } from 'valtio'
import { Link } from 'wouter'
import { usePathname } from 'wouter/use-browser-location'
import { type ActionId, actionOf, perform } from '#ui/actions/registry.ts'
import { Avatar } from '#ui/components/Avatar.tsx'
import { Icon } from '#ui/components/Icon.tsx'
import { IconButton } from '#ui/components/IconButton.tsx'
import { Kbd } from '#ui/components/Kbd.tsx'
import { Logo } from '#ui/components/Logo.tsx'
import { lazyPart } from '#ui/components/lazy-part.tsx'
import { useTranslation } from '#ui/i18n/i18n.ts'
import { ariaKeys } from '#ui/lib/keys.ts'
import {
  FILES,
  LOGIN,
  PROFILE,
  SETTINGS,
  SHARES,
  SIGN_UP,
  TRASH,
  withoutBase,
} from '#ui/lib/location.ts'
import { useActionContext } from '#ui/state/action-context.ts'
import { useAfterListing } from '#ui/state/after-listing.ts'
import { layout } from '#ui/state/layout.ts'
import { session } from '#ui/state/session.ts'
import { settings } from '#ui/state/settings.ts'
import { ROOT } from '#wire/paths.ts'
import { ProjectLinks } from './ProjectLinks.tsx'
import { StorageBar } from './StorageBar.tsx'
import './Sidebar.css'
import { permits } from '#wire/permissions.ts'

/** Loaded after the listing; its space is reserved from the beginning. */
const SidebarSections = lazyPart(
  async () => (await import('./SidebarSections.tsx')).SidebarSections,
)

/** The sidebar: navigation and actions. Folded, it shows icons only. */
export function Sidebar({ folded = false }: { folded?: boolean }) {
  const { t } = useTranslation()
  const { user } = useSnapshot(session)
  const { may } = useActionContext()
  const isAfterListing = useAfterListing()
  return (
    <aside className="Sidebar" data-folded={folded || undefined} aria-label={t('sidebar.label')}>
      <Brand folded={folded} />
      {user ? (
        <>
          <nav className="Sidebar__group" aria-label={t('places.home')}>
            <Link
              className="Sidebar__item"
              data-user
              href={PROFILE}
              {...tooltipProps(t('sidebar.profileOf', { name: user.username }), folded)}
            >
              <Avatar name={user.username} />
              <bdi className="Sidebar__label">{user.username}</bdi>
            </Link>
            <MyFiles folded={folded} />
            {may('share') && <SharedLink folded={folded} />}
            <TrashLink folded={folded} />
          </nav>
          <ActionGroup folded={folded} ids={['newFolder', 'newFile']} stays={may('create')} />
          <div className="Sidebar__middle">
            {!folded && isAfterListing && (
              <Suspense>
                <SidebarSections />
              </Suspense>
            )}
          </div>
          <ActionGroup folded={folded} ids={['help', 'logOut']}>
            {permits(user.perm, 'administer') && <SettingsLink folded={folded} />}
          </ActionGroup>
        </>
      ) : (
        <nav className="Sidebar__group">
          <Link className="Sidebar__item" href={LOGIN}>
            <Icon name="log-in" mirror />
            <span className="Sidebar__label">{t('sidebar.logIn')}</span>
          </Link>
          {settings.Signup && (
            <Link className="Sidebar__item" href={`${LOGIN}?${SIGN_UP}=1`}>
              <Icon name="user-round" />
              <span className="Sidebar__label">{t('sidebar.signUp')}</span>
            </Link>
          )}
        </nav>
      )}
      <div className="Sidebar__foot">
        {user && <StorageBar />}
        <ProjectLinks />
      </div>
    </aside>
  )
}

function Brand({ folded }: { folded: boolean }) {
  const { t } = useTranslation()
  return (
    <div className="Sidebar__brand">
      <Logo />
      <span className="Sidebar__label">{settings.Name}</span>
      <IconButton
        icon="panel-left"
        mirror
        size="s"
        label={t(folded ? 'sidebar.unfold' : 'sidebar.fold')}
        aria-expanded={!folded}
        onClick={() => {
          layout.sidebarFolded = !layout.sidebarFolded
        }}
      />
    </div>
  )
}

/** In the folded sidebar the label is a tooltip. */
function tooltipProps(label: string, folded: boolean) {
  return folded ? { 'aria-label': label, 'data-tip': label } : {}
}

function MyFiles({ folded }: { folded: boolean }) {
  const { t } = useTranslation()
  const { page, path } = useActionContext()
  // Below the root, the tree marks the shown folder.
  const isHere = page !== 'elsewhere' && (folded || path === ROOT)
  return (
    <Link
      className="Sidebar__item"
      href={`${FILES}/`}
      {...tooltipProps(t('places.home'), folded)}
      data-drop-path={ROOT}
      aria-current={isHere ? 'page' : undefined}
    >
      <Icon name="folder" />
      <span className="Sidebar__label">{t('places.home')}</span>
    </Link>
  )
}

function SharedLink({ folded }: { folded: boolean }) {
  const { t } = useTranslation()
  const pathname = withoutBase(usePathname())
  return (
    <Link
      className="Sidebar__item"
      href={SHARES}
      {...tooltipProps(t('sidebar.shared'), folded)}
      aria-current={pathname === SHARES ? 'page' : undefined}
    >
      <Icon name="share-2" />
      <span className="Sidebar__label">{t('sidebar.shared')}</span>
    </Link>
  )
}

function TrashLink({ folded }: { folded: boolean }) {
  const { t } = useTranslation()
  const pathname = withoutBase(usePathname())
  return (
    <Link
      className="Sidebar__item"
      href={TRASH}
      {...tooltipProps(t('settings.trash.title'), folded)}
      aria-current={pathname === TRASH ? 'page' : undefined}
    >
      <Icon name="trash-2" />
      <span className="Sidebar__label">{t('settings.trash.title')}</span>
    </Link>
  )
}

function SettingsLink({ folded }: { folded: boolean }) {
  const { t } = useTranslation()
  const pathname = withoutBase(usePathname()) ?? ''
  return (
    <Link
      className="Sidebar__item"
      href={PROFILE}
      {...tooltipProps(t('settings.title'), folded)}
      aria-current={
        pathname !== TRASH && pathname !== SHARES && pathname.startsWith(`${SETTINGS}/`)
          ? 'page'
          : undefined
      }
    >
      <Icon name="settings" />
      <span className="Sidebar__label">{t('settings.title')}</span>
    </Link>
  )
}

interface ActionGroupProps {
  folded: boolean
  ids: readonly ActionId[]
  /** The button stays disabled on pages where its action is not available. */
  stays?: boolean
  /** Content before the actions. */
  children?: ReactNode
}

function ActionGroup({ folded, ids, stays = false, children }: ActionGroupProps) {
  const { t } = useTranslation()
  const context = useActionContext()
  const shown = ids.map(actionOf).filter((action) => stays || action.when(context))
  if (shown.length === 0) return null
  return (
    <div className="Sidebar__group">
      {children}
      {shown.map((action) => (
        <button
          key={action.id}
          type="button"
          className="Sidebar__item"
          {...tooltipProps(t(action.label), folded)}
          data-keys={action.keys?.[0]}
          disabled={!action.when(context)}
          aria-keyshortcuts={action.keys?.[0] && ariaKeys(action.keys[0])}
          onClick={() => perform(action)}
        >
          <Icon name={action.icon} mirror={action.mirror ?? false} />
          <span className="Sidebar__label">{t(action.label)}</span>
          {action.keys?.[0] && <Kbd keys={action.keys[0]} />}
        </button>
      ))}
    </div>
  )
}
