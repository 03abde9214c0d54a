import { type FormEvent, useState } from 'react'
import { Button } from '#ui/components/controls/Button.tsx'
import { faultText } from '#ui/i18n/faults.ts'
import { useTranslation } from '#ui/i18n/i18n.ts'
import {
  discoverProvider,
  removeProvider,
  saveProvider,
  testProvider,
} from '#ui/state/administration/identity.ts'
import { toastError } from '#ui/state/messages/toasts.ts'
import {
  type Discovered,
  type Provider,
  type ProviderChange,
  STANDARD_OPTIONS,
} from '#wire/api/identity.ts'
import { FormFooter } from '../rows/FormFooter.tsx'
import { SettingFooter, SettingGroup } from '../rows/SettingGroup.tsx'
import { toastUpdated } from '../rows/toast-updated.ts'
import { useUnsavedChanges } from '../rows/use-unsaved-changes.ts'
import '../GlobalForm.css'
import { AccountRows } from './AccountRows.tsx'
import { ClientRows } from './ClientRows.tsx'
import { IssuerRows } from './IssuerRows.tsx'
import { LoginRows } from './LoginRows.tsx'

interface ProviderFormProps {
  /** Undefined for a new provider. */
  stored: Provider | undefined
  /** Of all providers. */
  ids: readonly string[]
  publicAddress: string
  onSaved(provider: Provider): void
  onClose(): void
}

/** A provider: its address is looked up first, then the other fields follow. */
export function ProviderForm({ stored, ids, publicAddress, onSaved, onClose }: ProviderFormProps) {
  const { t } = useTranslation()
  const [draft, setDraft] = useState<ProviderChange>(() => changeOf(stored))
  const [before, setBefore] = useState(draft)
  const [found, setFound] = useState<Discovered>()
  const [problem, setProblem] = useState<string>()
  const [isBusy, setBusy] = useState(false)
  const hasChanges = JSON.stringify(draft) !== JSON.stringify(before)
  useUnsavedChanges(hasChanges)

  function change(changes: Partial<ProviderChange>): void {
    setDraft((current) => ({ ...current, ...changes }))
    setProblem(undefined)
  }

  async function run(work: () => Promise<unknown>): Promise<void> {
    setBusy(true)
    setProblem(undefined)
    try {
      await work()
    } catch (error) {
      setProblem(faultText(error))
    }
    setBusy(false)
  }

  async function discover(): Promise<void> {
    const discovered = await discoverProvider(draft.issuer)
    setFound(discovered)
    // The server compares the issuer exactly.
    const host = new URL(discovered.issuer).hostname
    change({
      issuer: discovered.issuer,
      ...(stored ? {} : { label: draft.label || host, id: draft.id || freeId(host, ids) }),
    })
  }

  async function save(): Promise<void> {
    const saved = await saveProvider(draft, !stored)
    if (!saved) return
    const { clientSecret: _, ...rest } = draft
    setDraft(rest)
    setBefore(rest)
    toastUpdated()
    onSaved(saved)
  }

  function submit(event: FormEvent): void {
    event.preventDefault()
    void run(stored || found ? save : discover)
  }

  const isKnown = stored !== undefined || found !== undefined
  return (
    <form className="GlobalForm" onSubmit={submit} autoComplete="off">
      <IssuerRows
        title={stored?.label ?? t('settings.identity.add')}
        value={draft}
        found={found}
        isBusy={isBusy}
        onChange={change}
        onDiscover={isKnown ? () => void run(discover) : undefined}
      />
      {isKnown && (
        <>
          <ClientRows
            value={draft}
            stored={stored}
            publicAddress={publicAddress}
            onChange={change}
          />
          <AccountRows
            value={draft.options}
            onChange={(options) => change({ options: { ...draft.options, ...options } })}
          />
          <LoginRows value={draft} onChange={change} />
          {stored && (
            <SettingGroup title={t('settings.identity.test')}>
              <SettingFooter hint={t('settings.identity.testHint')}>
                <Button
                  disabled={isBusy || hasChanges}
                  onClick={() => void run(() => testProvider(stored.id))}
                >
                  {t('settings.identity.test')}
                </Button>
              </SettingFooter>
            </SettingGroup>
          )}
        </>
      )}
      <FormFooter
        problem={problem}
        isBusy={isBusy}
        isUnchanged={isKnown && !hasChanges}
        action={t(isKnown ? 'settings.save' : 'settings.identity.discover')}
        discard={t('common.close')}
        onDiscard={onClose}
      >
        {stored && (
          <Button tone="danger" disabled={isBusy} onClick={() => void remove(stored.id, onClose)}>
            {t('settings.appPasswords.remove')}
          </Button>
        )}
      </FormFooter>
    </form>
  )
}

async function remove(id: string, onRemoved: () => void): Promise<void> {
  try {
    if (await removeProvider(id)) onRemoved()
  } catch (error) {
    toastError(error)
  }
}

function changeOf(stored: Provider | undefined): ProviderChange {
  if (!stored) {
    const options = { ...STANDARD_OPTIONS }
    return { id: '', label: '', issuer: '', clientID: '', isEnabled: false, options }
  }
  const { id, label, issuer, clientID, isEnabled, options } = stored
  return { id, label, issuer, clientID, isEnabled, options }
}

/** An id from the name of a host, which no other provider has. */
function freeId(host: string, ids: readonly string[]): string {
  const labels = host
    .split('.')
    .filter((label) => !/^(?:\d+|www|auth|id|login|sso|accounts)$/.test(label))
  const name = labels[0]?.replace(/[^a-z0-9-]/g, '').slice(0, 20) || 'provider'
  for (let count = 1; ; count += 1) {
    const id = count === 1 ? name : `${name}-${count}`
    if (!ids.includes(id) && id !== 'providers') return id
  }
}
