/**
 * `npm run messages`: prints the number of texts of the interface in each language, and the faults of these
 * texts. Fails if there is a fault.
 */
import { faultsOf, glossaryOf, SOURCE, textsOf, writtenLanguages } from './translations.ts'

const english = textsOf(SOURCE)
const common = glossaryOf(SOURCE).same
for (const code of writtenLanguages()) {
  if (code === SOURCE) continue
  const texts = textsOf(code)
  const faults = faultsOf(code, texts, english, new Set([...common, ...glossaryOf(code).same]))
  console.log(`${code.padEnd(6)} ${texts.size} texts, ${faults.length} faults`)
  for (const fault of faults) console.error(fault)
  if (faults.length > 0) process.exitCode = 1
}
