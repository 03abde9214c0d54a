/**
 * `npm run messages`: how many texts of the interface each language has, and what is wrong with them. Fails
 * if there is a fault.
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
