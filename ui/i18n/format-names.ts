/** The names in a message about several entries. */

import { shownName } from '#ui/lib/entries/shown-name.ts'
import { ON_DEMAND_LIMITS } from '#ui/lib/on-demand-limits.ts'
import { formatList, formatNumber } from './format.ts'
import { t } from './i18n.ts'

/**
 * The first names, and how many others there are. Characters that could disguise a name are visible, also direction
 * marks, which the message would leave.
 */
export function formatNames(names: readonly string[]): string {
  const shown = names.slice(0, ON_DEMAND_LIMITS.namesInMessage).map((name) => shownName(name).text)
  const rest = names.length - shown.length
  return formatList(rest > 0 ? [...shown, t('share.rest', { value: formatNumber(rest) })] : shown)
}
