import type { ReactNode } from 'react'
import { ErrorPanel } from '#ui/features/errors/ErrorPanel.tsx'
import { TopBar } from '#ui/features/header/TopBar.tsx'
import { PageLayout } from '#ui/features/page-layout/PageLayout.tsx'
import {
  SettingsBreadcrumbs,
  type SettingsCrumb,
} from '#ui/features/settings/SettingsBreadcrumbs.tsx'
import { SettingsColumns } from '#ui/features/settings/SettingsColumns.tsx'
import { SettingsMenu } from '#ui/features/settings/SettingsMenu.tsx'
import { useTranslation } from '#ui/i18n/i18n.ts'
import type { SettingsScreen } from '#ui/lib/accounts/settings-screens.ts'
import { errorKindOf } from '#ui/lib/error-kind.ts'
import { SETTINGS } from '#ui/lib/page/location.ts'
import type { Fault } from '#wire/fault.ts'
import { useStorageUsage } from './use-storage-usage.ts'

interface SettingsLayoutProps {
  entry: SettingsScreen
  /** The part of the entry that is shown; without it, the entry itself. */
  inner?: string | undefined
  /** Replaces the plain title. */
  title?: ReactNode
  action?: ReactNode
  /** Why nothing is shown. */
  fault?: Fault | undefined
  onRetry?: (() => void) | undefined
  children: ReactNode
}

/** The frame, breadcrumbs and menu of a settings screen. */
export function SettingsLayout(props: SettingsLayoutProps) {
  const { entry, inner, title, action, fault, onRetry, children } = props
  const { t } = useTranslation()
  const name = t(`settings.${entry}.title`)
  useStorageUsage()
  const steps: SettingsCrumb[] = inner
    ? [{ name, href: `${SETTINGS}/${entry}` }, { name: inner }]
    : [{ name }]
  return (
    <PageLayout
      top={
        <TopBar>
          <SettingsBreadcrumbs steps={steps} />
        </TopBar>
      }
    >
      {fault ? (
        <ErrorPanel kind={errorKindOf(fault)} status={fault.status} onRetry={onRetry} />
      ) : (
        <SettingsColumns
          menu={<SettingsMenu current={entry} />}
          title={title ?? inner ?? name}
          action={action}
        >
          {children}
        </SettingsColumns>
      )}
    </PageLayout>
  )
}
