import { Button } from '#ui/components/controls/Button.tsx'
import { Input } from '#ui/components/fields/Input.tsx'
import { useTranslation } from '#ui/i18n/i18n.ts'
import type { Discovered, ProviderChange } from '#wire/api/identity.ts'
import { SettingFooter, SettingGroup } from '../rows/SettingGroup.tsx'
import { SettingRow } from '../rows/SettingRow.tsx'
import './IssuerRows.css'

interface IssuerRowsProps {
  /** The label of the provider. */
  title: string
  value: ProviderChange
  /** What the provider says about itself. */
  found: Discovered | undefined
  isBusy: boolean
  onChange(changes: Partial<ProviderChange>): void
  /** Looks the address up again; undefined while the button of the form does. */
  onDiscover: (() => void) | undefined
}

/** The address of a provider, and what was found there. */
export function IssuerRows({ title, value, found, isBusy, onChange, onDiscover }: IssuerRowsProps) {
  const { t } = useTranslation()
  return (
    <SettingGroup title={title}>
      <SettingRow
        title={t('settings.identity.issuer.title')}
        hint={t('settings.identity.issuer.hint')}
      >
        {(control) => (
          <Input
            {...control}
            type="text"
            inputMode="url"
            dir="ltr"
            required
            autoCapitalize="none"
            spellCheck={false}
            placeholder="https://id.example.org"
            value={value.issuer}
            onChange={(event) => onChange({ issuer: event.target.value })}
          />
        )}
      </SettingRow>
      {found && (
        <div className="IssuerRows__found">
          <p>{t('settings.identity.found')}</p>
          {/* The names are those of the standard. */}
          <ul dir="ltr">
            {factsOf(found).map((fact) => (
              <li key={fact}>{fact}</li>
            ))}
          </ul>
        </div>
      )}
      {onDiscover && (
        <SettingFooter>
          <Button disabled={isBusy || value.issuer === ''} onClick={onDiscover}>
            {t('settings.identity.discover')}
          </Button>
        </SettingFooter>
      )}
    </SettingGroup>
  )
}

function factsOf(found: Discovered): string[] {
  return [
    `authorization_endpoint: ${found.authorization}`,
    `token_endpoint: ${found.token}`,
    ...(found.userInfo ? [`userinfo_endpoint: ${found.userInfo}`] : []),
    ...(found.endSession ? [`end_session_endpoint: ${found.endSession}`] : []),
    `PKCE S256: ${mark(found.hasPkce)} · iss: ${mark(found.namesIssuer)} · back-channel: ${mark(found.hasBackchannel)}`,
    ...(found.scopes.length > 0 ? [`scopes: ${found.scopes.join(' ')}`] : []),
    ...(found.claims.length > 0 ? [`claims: ${found.claims.join(' ')}`] : []),
  ]
}

function mark(isSupported: boolean): string {
  return isSupported ? '✓' : '–'
}
