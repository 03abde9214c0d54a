import { type ComponentType, type KeyboardEvent, type ReactNode, useId, useState } from 'react'
import { onTabKey } from '#ui/components/controls/tab-keys.ts'
import { Loading } from '#ui/components/feedback/Loading.tsx'
import { useAsync } from '#ui/components/hooks/use-async.ts'
import { formatNumber } from '#ui/i18n/format.ts'
import { useTranslation } from '#ui/i18n/i18n.ts'
import { columnName, type Sheet } from '#wire/formats/sheets/sheet.ts'
import { hintOf } from './hint.ts'
import { readSheets } from './read-sheets.ts'
import './SheetTabs.css'

interface GridProps {
  table: {
    head: readonly string[]
    rows: readonly (readonly string[])[]
    columns: number
    bold?: ReadonlySet<string> | undefined
    frozenRows?: number | undefined
  }
  label: string
}

interface SheetTabsProps {
  name: string
  /** Reads the content of the file. */
  read(signal: AbortSignal): Promise<Uint8Array<ArrayBuffer>>
  /** Renders the viewer around the content. */
  renderFrame(content: ReactNode): ReactNode
  /** Renders the message that the document is not shown, with the reason. */
  renderFailure(hint: string): ReactNode
  /** The component of a table. */
  Grid: ComponentType<GridProps>
}

/** A spreadsheet, with a tab for each of its sheets. */
export function SheetTabs({ name, read, renderFrame, renderFailure, Grid }: SheetTabsProps) {
  const { t, language } = useTranslation()
  const format = /\.ods$/i.test(name) ? 'ods' : 'xlsx'
  const result = useAsync(name, async (signal) =>
    readSheets({ bytes: await read(signal), format, language }, signal),
  )
  if (result.status === 'loading') return renderFrame(<Loading />)
  if (result.status === 'failed') return renderFailure(hintOf(result.error, t))
  const [first] = result.value
  if (!first) return renderFailure(t('documents.broken'))
  return renderFrame(<LoadedSheets sheets={result.value} first={first} Grid={Grid} />)
}

interface LoadedSheetsProps {
  sheets: readonly Sheet[]
  first: Sheet
  Grid: SheetTabsProps['Grid']
}

function LoadedSheets({ sheets, first, Grid }: LoadedSheetsProps) {
  const { t } = useTranslation()
  const [current, setCurrent] = useState(0)
  const panelId = useId()
  const sheet = sheets[current] ?? first
  const head = Array.from({ length: sheet.columns }, (_, column) => columnName(column))
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the keys are those of the table inside
    <div className="SheetTabs" onKeyDown={keepScrollKeys}>
      <div id={panelId} className="SheetTabs__panel" role="tabpanel" aria-label={sheet.name}>
        {sheet.rows.length > 0 ? (
          <Grid key={current} table={{ ...sheet, head }} label={sheet.name} />
        ) : (
          <p className="SheetTabs__empty">{t('documents.emptySheet')}</p>
        )}
      </div>
      {sheet.cut && (
        <p className="SheetTabs__cut" role="status">
          {t('documents.cut', {
            rows: formatNumber(sheet.cut.rows),
            columns: formatNumber(sheet.cut.columns),
          })}
        </p>
      )}
      <div
        className="SheetTabs__bar"
        role="tablist"
        aria-label={t('documents.sheets')}
        onKeyDown={(event) => onTabKey(event, setCurrent)}
      >
        {sheets.map(({ name }, index) => (
          <button
            // biome-ignore lint/suspicious/noArrayIndexKey: the sheets do not change, and names may be equal
            key={index}
            type="button"
            role="tab"
            className="SheetTabs__tab"
            aria-selected={index === current}
            aria-controls={index === current ? panelId : undefined}
            tabIndex={index === current ? 0 : -1}
            onClick={() => setCurrent(index)}
          >
            <span dir="auto">{name}</span>
          </button>
        ))}
      </div>
    </div>
  )
}

/** The arrow keys scroll the table. The viewer around it would open the previous or next file. */
function keepScrollKeys(event: KeyboardEvent): void {
  if (event.key.startsWith('Arrow')) event.stopPropagation()
}
