/** Imports under the operator's rules. */
import { allowedUrl } from './allowed-url.ts'
import { type ImportRules, type ImportSource, openImport } from './import-source.ts'

interface AllowedImports {
  /** @throws Fault badRequest (no valid URL), forbidden (not from this host) */
  requireAllowed(source: string): void
  /** @throws as `openImport` */
  open(source: string, stopped: AbortSignal): Promise<ImportSource>
}

/** @returns undefined if no host is allowed */
export function createImports(rules: ImportRules): AllowedImports | undefined {
  if (rules.hosts.length === 0) return undefined
  return {
    requireAllowed: (source) => void allowedUrl(source, rules.hosts),
    open: (source, stopped) => openImport(source, rules, stopped),
  }
}
