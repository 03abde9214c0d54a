import { Component, type ErrorInfo, type ReactNode } from 'react'
import { Button } from '#ui/components/controls/Button.tsx'
import { Empty } from '#ui/components/feedback/Empty.tsx'
import { Icon } from '#ui/components/icons/Icon.tsx'
import { t } from '#ui/i18n/i18n.ts'

interface ErrorBoundaryProps {
  children: ReactNode
}

/** Catches render errors: shows a message and a button that reloads the page. */
export class ErrorBoundary extends Component<ErrorBoundaryProps, { broken: boolean }> {
  override state = { broken: false }

  static getDerivedStateFromError() {
    return { broken: true }
  }

  override componentDidCatch(error: unknown, info: ErrorInfo): void {
    reportError(error instanceof Error ? error : new Error(String(error), { cause: info }))
  }

  override render(): ReactNode {
    if (!this.state.broken) return this.props.children
    return (
      <Empty
        picture={<Icon name="triangle-alert" />}
        title={t('errors.crash.title')}
        hint={t('errors.crash.hint')}
        actions={
          <Button tone="accent" onClick={() => location.reload()}>
            {t('errors.crash.reload')}
          </Button>
        }
      />
    )
  }
}
