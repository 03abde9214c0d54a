import { type ReactNode, useState } from 'react'
import { useSearch } from 'wouter/use-browser-location'
import { Button } from '#ui/components/controls/Button.tsx'
import { Notice } from '#ui/components/feedback/Notice.tsx'
import { Badge } from '#ui/components/icons/Badge.tsx'
import { useTranslation } from '#ui/i18n/i18n.ts'
import { identityProblemText } from '#ui/i18n/identity-problems.ts'
import { globalSectionUrl } from '#ui/lib/accounts/global-sections.ts'
import { goTo } from '#ui/lib/page/location.ts'
import type { Provider } from '#wire/api/identity.ts'
import type { Fault } from '#wire/fault.ts'
import { AccessList } from '../rows/AccessList.tsx'
import { AccessRow } from '../rows/AccessRow.tsx'
import { SettingGroup } from '../rows/SettingGroup.tsx'
import './ProvidersSection.css'
import { ProviderForm } from './ProviderForm.tsx'
import { TestResult } from './TestResult.tsx'

export interface ProvidersSectionProps {
  /** Empty if it is not set. */
  publicAddress: string
  fault: Fault | undefined
  /** Undefined while they load. */
  providers: readonly Provider[] | undefined
  /** Called after a change, to load the list again. */
  onChanged(): void
  /** Shown below the list. */
  children?: ReactNode
}

/** The providers that users can log in with: the list, or the form of one of them. */
export function ProvidersSection({
  publicAddress,
  fault,
  providers,
  onChanged,
  children,
}: ProvidersSectionProps) {
  const { t } = useTranslation()
  const query = new URLSearchParams(useSearch())
  /** The provider in the form; `stored` is undefined for a new one. */
  const [edited, setEdited] = useState<{ stored: Provider | undefined }>()
  const [flow, problem] = [query.get('flow'), query.get('problem')]

  if (edited && providers) {
    return (
      <ProviderForm
        stored={edited.stored}
        ids={providers.map(({ id }) => id)}
        publicAddress={publicAddress}
        onSaved={(stored) => {
          setEdited({ stored })
          onChanged()
        }}
        onClose={() => {
          setEdited(undefined)
          onChanged()
        }}
      />
    )
  }
  return (
    <div className="ProvidersSection">
      {problem && <Notice tone="danger">{identityProblemText(problem)}</Notice>}
      {flow && <TestResult key={flow} flow={flow} />}
      {publicAddress === '' && <Notice>{t('settings.identity.needsAddress')}</Notice>}
      <SettingGroup
        title={t('settings.identity.title')}
        hint={t('settings.identity.hint')}
        action={
          publicAddress === '' ? (
            <Button tone="quiet" onClick={() => goTo(globalSectionUrl('access'))}>
              {t('settings.access.publicAddress.title')}…
            </Button>
          ) : (
            <Button tone="quiet" icon="plus" onClick={() => setEdited({ stored: undefined })}>
              {t('settings.identity.add')}
            </Button>
          )
        }
      >
        <AccessList fault={fault} items={providers} none={t('settings.identity.none')}>
          {(one) => (
            <AccessRow
              key={one.id}
              icon="log-in"
              name={
                <>
                  <bdi>{one.label}</bdi>
                  {!one.isEnabled && <Badge>{t('settings.identity.off')}</Badge>}
                </>
              }
              facts={<bdi dir="ltr">{one.issuer}</bdi>}
            >
              <Button onClick={() => setEdited({ stored: one })}>
                {t('settings.identity.change')}
              </Button>
            </AccessRow>
          )}
        </AccessList>
      </SettingGroup>
      {children}
    </div>
  )
}
