import type { ReactNode } from 'react'
import { ErrorPanel } from '#ui/features/errors/ErrorPanel.tsx'
import { TopBar } from '#ui/features/header/TopBar.tsx'
import { PageLayout } from '#ui/features/page-layout/PageLayout.tsx'
import {
  SettingsBreadcrumbs,
  type SettingsCrumb,
} from '#ui/features/settings/SettingsBreadcrumbs.tsx'
import { errorKindOf } from '#ui/lib/error-kind.ts'
import type { Fault } from '#wire/fault.ts'
import { useStorageUsage } from './use-storage-usage.ts'
import './WideLayout.css'

interface WideLayoutProps {
  title: string
  /** The breadcrumbs; by default only the title. */
  steps?: readonly SettingsCrumb[]
  action?: ReactNode
  /** Why nothing is shown. */
  fault?: Fault | undefined
  onRetry?: (() => void) | undefined
  children: ReactNode
}

/** The frame of a page that is as wide as a folder, such as the trash. */
export function WideLayout({ title, steps, action, fault, onRetry, children }: WideLayoutProps) {
  useStorageUsage()
  return (
    <PageLayout
      top={
        <TopBar>
          <SettingsBreadcrumbs hasOwnPage steps={steps ?? [{ name: title }]} />
        </TopBar>
      }
    >
      {fault ? (
        <ErrorPanel kind={errorKindOf(fault)} status={fault.status} onRetry={onRetry} />
      ) : (
        <div className="WideLayout">
          <header className="WideLayout__head">
            <h2 className="WideLayout__title">{title}</h2>
            {action}
          </header>
          {children}
        </div>
      )}
    </PageLayout>
  )
}
