/** Messages for log-ins with a provider. */
import { faultText, storedFault } from './faults.ts'

/** @param problem the reason or the code of a fault, as in the query of an address */
export function identityProblemText(problem: string): string {
  const byReason = storedFault(`forbidden; reason=${problem}`, '')
  return faultText(byReason.reason ? byReason : storedFault(problem, ''))
}
