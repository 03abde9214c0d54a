import { canonicalText } from '#wire/fold.ts'

/** @returns a name that looks the same as another one, because they differ only in the form of Unicode; usually undefined */
export function twinAmong(entries: readonly { name: string }[]): string | undefined {
  const seen = new Set<string>()
  for (const { name } of entries) {
    const canonical = canonicalText(name)
    // Names of ASCII have one form, and are most names of a large folder.
    if (canonical === name && /^[ -~]*$/.test(name)) continue
    if (seen.has(canonical)) return canonical
    seen.add(canonical)
  }
  return undefined
}
