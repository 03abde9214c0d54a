// biome-ignore-all lint/a11y/useSemanticElements: a table element cannot be virtualized
// biome-ignore-all lint/a11y/useFocusableInteractive: the grid has the focus and `aria-activedescendant`
import { useSnapshot } from 'valtio'
import { Icon } from '#ui/components/icons/Icon.tsx'
import { formatNumber } from '#ui/i18n/format.ts'
import { useTranslation } from '#ui/i18n/i18n.ts'
import { sharedPaths } from '#ui/state/folder/shared-paths.ts'
import type { TreePath } from '#wire/paths.ts'

/** The cell with the number of shares that the user has created for an entry. */
export function SharedCell({ path }: { path: TreePath }) {
  const { t } = useTranslation()
  const count = useSnapshot(sharedPaths).counts.get(path) ?? 0
  return (
    <div className="ListRow__shared" role="gridcell">
      {count > 0 && (
        <>
          <Icon name="link" />
          {t('listing.links', { count, value: formatNumber(count) })}
        </>
      )}
    </div>
  )
}
