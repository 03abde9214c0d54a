import { useCallback, useEffect, useState } from 'react'
import { useSnapshot } from 'valtio'
import { Link } from 'wouter'
import { Empty } from '#ui/components/feedback/Empty.tsx'
import { Loading } from '#ui/components/feedback/Loading.tsx'
import { Notice } from '#ui/components/feedback/Notice.tsx'
import { Icon } from '#ui/components/icons/Icon.tsx'
import { Menu } from '#ui/components/overlays/Menu.tsx'
import type { SettingsCrumb } from '#ui/features/settings/SettingsBreadcrumbs.tsx'
import { SameContent } from '#ui/features/space/SameContent.tsx'
import { SpaceList } from '#ui/features/space/SpaceList.tsx'
import { SpaceRow } from '#ui/features/space/SpaceRow.tsx'
import { Treemap } from '#ui/features/space/Treemap.tsx'
import { formatDate, formatNumber, formatSize } from '#ui/i18n/format.ts'
import { useTranslation } from '#ui/i18n/i18n.ts'
import { crumbsOf } from '#ui/lib/entries/crumbs.ts'
import { type FileKind, kindOf } from '#ui/lib/entries/kinds.ts'
import { shownPath } from '#ui/lib/entries/shown-name.ts'
import { filesUrl, TRASH } from '#ui/lib/page/location.ts'
import { spaceUrl } from '#ui/lib/urls/space-urls.ts'
import { clearSpace, dropFromGroups, loadSpace } from '#ui/state/folder/space.ts'
import { loadUsage, useUsage } from '#ui/state/folder/usage.ts'
import { session } from '#ui/state/session/session.ts'
import type { Entry } from '#wire/api/entry.ts'
import type { SpaceKind, SpacePart, SpaceReport } from '#wire/api/space.ts'
import { parentPath, ROOT, type TreePath } from '#wire/paths.ts'
import { permits } from '#wire/permissions.ts'
import { usePageTitle } from '../use-page-title.ts'
import { spaceMenu } from './space-menu.ts'
import { useLoaded } from './use-loaded.ts'
import { WideLayout } from './WideLayout.tsx'
import './SpacePage.css'

/** `/settings/space/PATH`, once for each folder: what takes up space in a folder, by entries, kinds, size, age, and content. */
export function SpacePage({ folder }: { folder: TreePath }) {
  const { t } = useTranslation()
  const load = useCallback(() => {
    // Each folder may be on another disk, and an action has changed what its disk has left.
    void loadUsage(folder)
    return loadSpace(folder)
  }, [folder])
  const { value, fault, reload } = useLoaded(load)
  usePageTitle(t('settings.space.title'))
  useEffect(() => clearSpace, [])
  const steps: SettingsCrumb[] = [
    { name: t('settings.space.title'), ...(folder !== ROOT && { href: spaceUrl(ROOT) }) },
    ...crumbsOf(folder, '')
      .slice(1)
      .map(({ name, path }) => (path === folder ? { name } : { name, href: spaceUrl(path) })),
  ]
  return (
    <WideLayout title={t('settings.space.title')} steps={steps} fault={fault} onRetry={reload}>
      {value ? (
        <Report folder={folder} report={value} onChanged={() => void reload()} />
      ) : (
        <Loading />
      )}
    </WideLayout>
  )
}

interface ReportProps {
  folder: TreePath
  report: SpaceReport
  /** Called after an action has changed files. */
  onChanged(): void
}

function Report({ folder, report, onChanged }: ReportProps) {
  const { t } = useTranslation()
  const { user } = useSnapshot(session)
  const [menu, setMenu] = useState<{ entry: Entry; anchor: HTMLElement }>()
  const { bytes, parts, largest, oldest } = report
  if (report.files === 0) {
    return (
      <>
        <DiskUsage />
        <Empty
          picture={<Icon name="folder" />}
          title={t('listing.empty')}
          hint={t('listing.files', { count: 0, value: formatNumber(0) })}
        />
      </>
    )
  }
  return (
    <>
      <p>
        <bdi>{formatSize(bytes)}</bdi>
        {' · '}
        <bdi>{t('listing.files', { count: report.files, value: formatNumber(report.files) })}</bdi>
        {' · '}
        <bdi>
          {t('listing.folders', { count: report.folders, value: formatNumber(report.folders) })}
        </bdi>
      </p>
      <DiskUsage />
      {report.isPartial && <Notice>{t('settings.space.partial')}</Notice>}
      {report.hasUnreadable && <Notice>{t('settings.space.unreadable')}</Notice>}
      {bytes > 0 && <Treemap parts={parts} total={bytes} urlOf={urlOf} />}
      <div className="WideLayout__columns">
        <SpaceList title={t('listing.label')} rows={parts.map(partRow)} />
        <SpaceList title={t('listing.type')} rows={kindsOf(report.kinds).map(kindRow)} />
        <SpaceList title={t('settings.space.largest')} rows={largest.map(fileRow)} />
        <SpaceList title={t('settings.space.oldest')} rows={oldest.map(fileRow)} />
      </div>
      {user !== null && permits(user.perm, 'download') && (
        <SameContent folder={folder} rowOf={fileRow} />
      )}
      {menu && (
        <Menu
          label={t('common.more')}
          heading={menu.entry.name}
          items={spaceMenu(menu.entry, () => {
            dropFromGroups(new Set([menu.entry.path]))
            onChanged()
          })}
          anchor={menu.anchor}
          onClose={() => setMenu(undefined)}
        />
      )}
    </>
  )

  function partRow({ entry, bytes: partBytes, files }: SpacePart) {
    return (
      <SpaceRow
        key={entry.path}
        kind={entry}
        name={entry.name}
        href={urlOf({ entry })}
        fact={entry.isDir ? t('listing.files', { count: files, value: formatNumber(files) }) : ''}
        bytes={partBytes}
        share={bytes === 0 ? 0 : partBytes / bytes}
        onMenu={(anchor) => setMenu({ entry, anchor })}
      />
    )
  }

  function kindRow({ kind, example, bytes: kindBytes, files }: KindSum) {
    return (
      <SpaceRow
        key={kind}
        kind={example}
        name={t(`kinds.${kind}`)}
        fact={t('listing.files', { count: files, value: formatNumber(files) })}
        bytes={kindBytes}
        share={bytes === 0 ? 0 : kindBytes / bytes}
      />
    )
  }

  function fileRow(entry: Entry) {
    const above = parentPath(entry.path)
    return (
      <SpaceRow
        key={entry.path}
        kind={entry}
        name={entry.name}
        href={filesUrl(entry.path, false)}
        fact={
          <>
            <bdi>{above === ROOT ? t('places.home') : shownPath(above)}</bdi>
            {` · ${formatDate(entry.modified)}`}
          </>
        }
        bytes={entry.size}
        onMenu={(anchor) => setMenu({ entry, anchor })}
      />
    )
  }
}

/** The usage of the disk of the folder, and what the trash takes up of it. */
function DiskUsage() {
  const { t } = useTranslation()
  const usage = useUsage()
  if (!usage) return null
  const { used, free, trash } = usage
  return (
    <>
      <p className="SpacePage__disk">
        {t('settings.space.disk', { used: formatSize(used), total: formatSize(used + free) })}
      </p>
      {trash && trash.bytes > 0 && (
        <p className="SpacePage__disk">
          {t('settings.space.trash', {
            size: formatSize(trash.bytes),
            free: formatSize(trash.freeBytes),
          })}{' '}
          <Link className="SpacePage__trash" href={TRASH}>
            {t('common.openTrash')}
          </Link>
        </p>
      )}
    </>
  )
}

/** A folder leads to its own space, a file to its page. */
function urlOf({ entry }: Pick<SpacePart, 'entry'>): string {
  return entry.isDir ? spaceUrl(entry.path) : filesUrl(entry.path, false)
}

interface KindSum {
  kind: FileKind
  /** A file of the kind. */
  example: { name: string; type: SpaceKind['type']; isDir: false }
  bytes: number
  files: number
}

/** The kinds as the interface names them: several extensions are one. */
function kindsOf(kinds: readonly SpaceKind[]): KindSum[] {
  const sums = new Map<FileKind, KindSum>()
  for (const { extension, type, bytes, files } of kinds) {
    const example = { name: `x${extension}`, type, isDir: false } as const
    // No file is a folder.
    const kind = kindOf(example) as FileKind
    const sum = sums.get(kind) ?? { kind, example, bytes: 0, files: 0 }
    sums.set(kind, { ...sum, bytes: sum.bytes + bytes, files: sum.files + files })
  }
  return [...sums.values()].toSorted((a, b) => b.bytes - a.bytes)
}
