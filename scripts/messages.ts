/**
 * `npm run messages`: prints the number of texts of the interface in each language, and the faults of these
 * texts. Fails if there is a fault, or if an English text has changed since it was translated.
 *
 * `npm run messages -- KEY…` records that these messages were translated from the present English texts.
 */
import { readTranslatedFrom, recordTranslated, staleMessages } from './translated-from.ts'
import { faultsOf, glossaryOf, SOURCE, textsOf, writtenLanguages } from './translations.ts'

const english = textsOf(SOURCE)
const keys = process.argv.slice(2)
if (keys.length > 0) recordTranslated(english, keys)

const common = glossaryOf(SOURCE).same
for (const code of writtenLanguages()) {
  if (code === SOURCE) continue
  const texts = textsOf(code)
  const faults = faultsOf(code, texts, english, new Set([...common, ...glossaryOf(code).same]))
  console.log(`${code.padEnd(6)} ${texts.size} texts, ${faults.length} faults`)
  report(faults)
}
report(staleMessages(english, readTranslatedFrom()))

function report(faults: readonly string[]): void {
  for (const fault of faults) console.error(fault)
  if (faults.length > 0) process.exitCode = 1
}
