import { useState } from 'react'
import type { LoginDirectory } from '#wire/api/directory.ts'
import type { Fault } from '#wire/fault.ts'
import { DirectoriesSection } from './DirectoriesSection.tsx'
import { DirectoryForm } from './DirectoryForm.tsx'
import { ProvidersSection, type ProvidersSectionProps } from './ProvidersSection.tsx'

interface LoginSectionProps extends Omit<ProvidersSectionProps, 'children' | 'fault'> {
  providersFault: Fault | undefined
  directoriesFault: Fault | undefined
  /** Undefined while they load. */
  directories: readonly LoginDirectory[] | undefined
}

/** How users can log in besides their passwords: providers and directories, or the form of one of them. */
export function LoginSection({
  providersFault,
  directoriesFault,
  directories,
  ...providers
}: LoginSectionProps) {
  /** The directory in the form; `stored` is undefined for a new one. */
  const [edited, setEdited] = useState<{ stored: LoginDirectory | undefined }>()
  if (edited && directories) {
    return (
      <DirectoryForm
        stored={edited.stored}
        onSaved={(stored) => {
          setEdited({ stored })
          providers.onChanged()
        }}
        onClose={() => {
          setEdited(undefined)
          providers.onChanged()
        }}
      />
    )
  }
  return (
    <ProvidersSection {...providers} fault={providersFault}>
      <DirectoriesSection
        fault={directoriesFault}
        directories={directories}
        onEdit={(stored) => setEdited({ stored })}
      />
    </ProvidersSection>
  )
}
