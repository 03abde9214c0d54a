import { type ReactNode, Suspense } from 'react'
import { useSnapshot } from 'valtio'
import { Link } from 'wouter'
import { usePathname } from 'wouter/use-browser-location'
import { type ActionId, actionOf, perform } from '#ui/actions/registry.ts'
import { IconButton } from '#ui/components/controls/IconButton.tsx'
import { lazyPart } from '#ui/components/feedback/lazy-part.tsx'
import { Avatar } from '#ui/components/icons/Avatar.tsx'
import { Icon } from '#ui/components/icons/Icon.tsx'
import { Kbd } from '#ui/components/icons/Kbd.tsx'
import { Logo } from '#ui/components/icons/Logo.tsx'
import { useTranslation } from '#ui/i18n/i18n.ts'
import { ariaKeys } from '#ui/lib/gestures/keys.ts'
import {
  FILES,
  LOGIN,
  PROFILE,
  SETTINGS,
  SHARES,
  SIGN_UP,
  TRASH,
  withoutBase,
} from '#ui/lib/page/location.ts'
import { useActionContext } from '#ui/state/action-context.ts'
import { useAfterListing } from '#ui/state/folder/after-listing.ts'
import { session } from '#ui/state/session/session.ts'
import { settings } from '#ui/state/session/settings.ts'
import { layout } from '#ui/state/view/layout.ts'
import { ROOT } from '#wire/paths.ts'
import { permits } from '#wire/permissions.ts'
import { ProjectLinks } from './ProjectLinks.tsx'
import { StorageBar } from './StorageBar.tsx'
import './Sidebar.css'

/** Loaded after the listing. Its space is reserved from the beginning. */
const SidebarSections = lazyPart(
  async () => (await import('./SidebarSections.tsx')).SidebarSections,
)

/** The sidebar: navigation and actions. Folded, it shows icons only. */
export function Sidebar({ isFolded = false }: { isFolded?: boolean }) {
  const { t } = useTranslation()
  const { user } = useSnapshot(session)
  const { may } = useActionContext()
  const isAfterListing = useAfterListing()
  return (
    <aside className="Sidebar" data-folded={isFolded || undefined} aria-label={t('sidebar.label')}>
      <Brand isFolded={isFolded} />
      {user ? (
        <div className="Sidebar__scroll">
          <nav className="Sidebar__group" aria-label={t('places.home')}>
            <Link
              className="Sidebar__item"
              data-user
              href={PROFILE}
              {...tooltipProps(t('sidebar.profileOf', { name: user.username }), isFolded)}
            >
              <Avatar name={user.username} />
              <bdi className="Sidebar__label">{user.username}</bdi>
            </Link>
            <MyFiles isFolded={isFolded} />
            {may('share') && <SharedLink isFolded={isFolded} />}
            <TrashLink isFolded={isFolded} />
          </nav>
          <ActionGroup
            isFolded={isFolded}
            ids={['newFolder', 'newFile']}
            isAlwaysShown={may('create')}
          />
          {!isFolded && isAfterListing && (
            <Suspense>
              <SidebarSections />
            </Suspense>
          )}
        </div>
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
      {user && (
        <ActionGroup isFolded={isFolded} ids={['help', 'logOut']}>
          {permits(user.perm, 'administer') && <SettingsLink isFolded={isFolded} />}
        </ActionGroup>
      )}
      <div className="Sidebar__foot">
        {user && <StorageBar />}
        <ProjectLinks />
      </div>
    </aside>
  )
}

function Brand({ isFolded }: { isFolded: boolean }) {
  const { t } = useTranslation()
  return (
    <div className="Sidebar__brand">
      <Logo />
      <span className="Sidebar__label">{settings.Name}</span>
      <IconButton
        icon="panel-left"
        mirror
        size="s"
        label={t(isFolded ? 'sidebar.unfold' : 'sidebar.fold')}
        aria-expanded={!isFolded}
        onClick={() => {
          layout.sidebarFolded = !layout.sidebarFolded
        }}
      />
    </div>
  )
}

/** The attributes of an item with this label: in the folded sidebar the label is a tooltip. */
function tooltipProps(label: string, isFolded: boolean) {
  return isFolded ? { 'aria-label': label, 'data-tip': label } : {}
}

function MyFiles({ isFolded }: { isFolded: boolean }) {
  const { t } = useTranslation()
  const { page, path } = useActionContext()
  // Below the root, the tree marks the shown folder.
  const isHere = page !== 'elsewhere' && (isFolded || path === ROOT)
  return (
    <Link
      className="Sidebar__item"
      href={`${FILES}/`}
      {...tooltipProps(t('places.home'), isFolded)}
      data-drop-path={ROOT}
      aria-current={isHere ? 'page' : undefined}
    >
      <Icon name="folder" />
      <span className="Sidebar__label">{t('places.home')}</span>
    </Link>
  )
}

function SharedLink({ isFolded }: { isFolded: boolean }) {
  const { t } = useTranslation()
  const pathname = withoutBase(usePathname())
  return (
    <Link
      className="Sidebar__item"
      href={SHARES}
      {...tooltipProps(t('settings.shares.title'), isFolded)}
      aria-current={pathname === SHARES ? 'page' : undefined}
    >
      <Icon name="share-2" />
      <span className="Sidebar__label">{t('settings.shares.title')}</span>
    </Link>
  )
}

function TrashLink({ isFolded }: { isFolded: boolean }) {
  const { t } = useTranslation()
  const pathname = withoutBase(usePathname())
  return (
    <Link
      className="Sidebar__item"
      href={TRASH}
      {...tooltipProps(t('settings.trash.title'), isFolded)}
      aria-current={pathname === TRASH ? 'page' : undefined}
    >
      <Icon name="trash-2" />
      <span className="Sidebar__label">{t('settings.trash.title')}</span>
    </Link>
  )
}

/** Pages below the settings to which other links of the sidebar lead. */
const OTHER_PAGES = /^\/settings\/(trash|shares|space)/

function SettingsLink({ isFolded }: { isFolded: boolean }) {
  const { t } = useTranslation()
  const pathname = withoutBase(usePathname()) ?? ''
  return (
    <Link
      className="Sidebar__item"
      href={PROFILE}
      {...tooltipProps(t('settings.title'), isFolded)}
      aria-current={
        pathname.startsWith(`${SETTINGS}/`) && !OTHER_PAGES.test(pathname) ? 'page' : undefined
      }
    >
      <Icon name="settings" />
      <span className="Sidebar__label">{t('settings.title')}</span>
    </Link>
  )
}

interface ActionGroupProps {
  isFolded: boolean
  ids: readonly ActionId[]
  /** Whether buttons remain, disabled, on pages where their action is not available; otherwise they are hidden. */
  isAlwaysShown?: boolean
  /** Content before the actions. */
  children?: ReactNode
}

function ActionGroup({ isFolded, ids, isAlwaysShown = false, children }: ActionGroupProps) {
  const { t } = useTranslation()
  const context = useActionContext()
  const shown = ids.map(actionOf).filter((action) => isAlwaysShown || action.when(context))
  if (shown.length === 0) return null
  return (
    <div className="Sidebar__group">
      {children}
      {shown.map((action) => (
        <button
          key={action.id}
          type="button"
          className="Sidebar__item"
          {...tooltipProps(t(action.label), isFolded)}
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
