/** Imports from the hosts that the operator allows. */
import { allowedUrl } from './allowed-url.ts'
import { type ImportLimits, type ImportSource, openImport } from './import-source.ts'

interface AllowedImports {
  /** @throws Fault badRequest (no valid URL), forbidden (not from this host) */
  requireAllowed(source: string): void
  /** @throws as `openImport` */
  open(source: string, stopped: AbortSignal): Promise<ImportSource>
}

/** @returns undefined if no host is allowed */
export function createImports(limits: ImportLimits): AllowedImports | undefined {
  if (limits.hosts.length === 0) return undefined
  return {
    requireAllowed: (source) => void allowedUrl(source, limits.hosts),
    open: (source, stopped) => openImport(source, limits, stopped),
  }
}
