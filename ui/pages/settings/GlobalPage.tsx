import { useState } from 'react'
import { GlobalForm } from '#ui/features/settings/GlobalForm.tsx'
import { LoginSection } from '#ui/features/settings/identity/LoginSection.tsx'
import { GlobalMenu } from '#ui/features/settings/server/GlobalMenu.tsx'
import { useTranslation } from '#ui/i18n/i18n.ts'
import type { GlobalSection } from '#ui/lib/accounts/global-sections.ts'
import { listDirectories } from '#ui/state/administration/directories.ts'
import { listProviders } from '#ui/state/administration/identity.ts'
import { loadGlobalSettings } from '#ui/state/session/settings.ts'
import { usePageTitle } from '../use-page-title.ts'
import { SettingsLayout } from './SettingsLayout.tsx'
import { useLoaded } from './use-loaded.ts'

const none = async () => []

/** `/settings/global/SECTION`: a section of the settings of the server. */
export function GlobalPage({ section }: { section: GlobalSection }) {
  const { t } = useTranslation()
  const { value, fault, reload, setValue } = useLoaded(loadGlobalSettings)
  const providers = useLoaded(section === 'login' ? listProviders : none)
  const directories = useLoaded(section === 'login' ? listDirectories : none)
  const [formVersion, setFormVersion] = useState(0)
  usePageTitle(t('settings.global.page'))
  return (
    <SettingsLayout entry="global" title={t('settings.global.page')} fault={fault} onRetry={reload}>
      <GlobalMenu current={section} />
      {value && section === 'login' && (
        <LoginSection
          publicAddress={value.publicAddress}
          providersFault={providers.fault}
          providers={providers.value}
          directoriesFault={directories.fault}
          directories={directories.value}
          onChanged={() => {
            void providers.reload()
            void directories.reload()
          }}
        />
      )}
      {value && section !== 'login' && (
        <GlobalForm
          // A new key resets the form to the saved values; each section has its own changes.
          key={`${section}${formVersion}`}
          section={section}
          saved={value}
          onSaved={setValue}
          onDiscard={() => setFormVersion(formVersion + 1)}
        />
      )}
    </SettingsLayout>
  )
}
