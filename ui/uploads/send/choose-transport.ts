/** Chooses how a file is sent: in one request, or resumable with tus. */
import type { TusSettings } from '#wire/api/settings.ts'
import { isResumable } from './is-resumable.ts'
import { plain } from './plain.ts'
import type { Transport } from './transport.ts'
import { tus } from './tus.ts'

/** @returns tus if it is possible and useful, else a plain request (docs/specification.md 5) */
export function transportFor(file: File, settings: TusSettings | undefined): Transport {
  return isResumable(file, settings) ? tus : plain
}
