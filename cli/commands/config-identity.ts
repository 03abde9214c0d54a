/**
 * Providers and directories in the document of `config export` and `config import`. Their secrets are not a part of it: a backup
 * of the database has them.
 */
import { type DocumentTree, isTree } from '#server/config/document.ts'
import { type ExportedIdentity, exportedIdentityShape } from '#wire/shapes/directory-shapes.ts'
import { sentenceOf } from '#wire/shapes/shape-sentences.ts'
import type { OpenedCore } from '../core.ts'

/** @returns the branch `identity`; nothing if there are neither providers nor directories */
export async function exportIdentity({
  providers,
  directories,
}: OpenedCore): Promise<DocumentTree> {
  const shownProviders = (await providers.list()).map(
    ({ id, label, issuer, clientId, clientSecret, isEnabled, options }) => {
      const hasSecret = clientSecret !== ''
      return { id, label, issuer, clientID: clientId, hasSecret, isEnabled, options }
    },
  )
  const shownDirectories = (await directories.list()).map(
    ({ id, label, bindPassword, isEnabled, options }) => {
      return { id, label, hasSecret: bindPassword !== '', isEnabled, options }
    },
  )
  if (shownProviders.length + shownDirectories.length === 0) return {}
  return { identity: { providers: shownProviders, directories: shownDirectories } }
}

/** @returns the providers and directories of a document, and why they cannot be read */
export function readIdentity(document: unknown): {
  identity: ExportedIdentity
  problems: string[]
} {
  const written = isTree(document) ? (document.identity ?? {}) : {}
  const parsed = exportedIdentityShape.safeParse(written)
  if (parsed.success) return { identity: parsed.data, problems: [] }
  const problems = [`identity: ${sentenceOf(parsed.error)}`]
  return { identity: { providers: [], directories: [] }, problems }
}

/**
 * Adds or changes providers and directories. A secret that is stored here is kept; without one, what needs it is switched off.
 *
 * @returns the notices
 * @throws Fault badRequest, conflict, tooMany
 */
export async function importIdentity(
  core: OpenedCore,
  identity: ExportedIdentity,
): Promise<string[]> {
  const notices: string[] = []
  const stored = [
    ...(await core.providers.list()).map(({ id, clientSecret }) => [id, clientSecret] as const),
    ...(await core.directories.list()).map(({ id, bindPassword }) => [id, bindPassword] as const),
  ]
  const lacks = ({ id, hasSecret }: { id: string; hasSecret: boolean }) =>
    hasSecret && !stored.some(([known, secret]) => known === id && secret !== '')
  const isKnown = (id: string) => stored.some(([known]) => known === id)
  for (const { hasSecret, ...change } of identity.providers) {
    const isLacking = lacks({ id: change.id, hasSecret })
    const provider = { ...change, isEnabled: change.isEnabled && !isLacking }
    if (isLacking) notices.push(noticeOf(change.id, '--client-secret-file'))
    if (isKnown(change.id)) await core.providers.change(provider)
    else {
      await core.providers.add(provider, () => core.directories.ids())
    }
  }
  for (const { hasSecret, ...change } of identity.directories) {
    // A directory is not stored without the password of its account.
    if (lacks({ id: change.id, hasSecret })) {
      notices.push(`The directory ${change.id} is left out: add it with --bind-password-file.`)
    } else if (isKnown(change.id)) await core.directories.change(change)
    else {
      await core.directories.add(change, () => core.providers.ids())
    }
  }
  return notices
}

function noticeOf(id: string, option: string): string {
  return `The provider ${id} is switched off: its secret is missing. Add it with ${option} and --overwrite.`
}
