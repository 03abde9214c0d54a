import { useEffect, useMemo, useState } from 'react'
import { useSnapshot } from 'valtio'
import { Button } from '#ui/components/controls/Button.tsx'
import { Empty } from '#ui/components/feedback/Empty.tsx'
import { Loading } from '#ui/components/feedback/Loading.tsx'
import { EncodingSelect } from '#ui/components/fields/EncodingSelect.tsx'
import { Input } from '#ui/components/fields/Input.tsx'
import { Select } from '#ui/components/fields/Select.tsx'
import { Icon } from '#ui/components/icons/Icon.tsx'
import { faultText } from '#ui/i18n/faults.ts'
import { formatNumber } from '#ui/i18n/format.ts'
import { useTranslation } from '#ui/i18n/i18n.ts'
import { decodeText } from '#ui/lib/text/text-bytes.ts'
import { bytes, loadBytes } from '#ui/state/file/bytes.ts'
import { chosenEncoding, rememberEncoding } from '#ui/state/file/chosen-encodings.ts'
import { useFileSource } from '#ui/state/file/file-source.ts'
import type { FileEntry } from '#wire/api/entry.ts'
import { parseTable, SEPARATORS, type Separator } from '#wire/formats/sheets/parse-table.ts'
import { parsePath } from '#wire/paths.ts'
import { TableGrid } from './TableGrid.tsx'
import './TableView.css'

/** A CSV file as a table. */
export function TableView({ file }: { file: FileEntry }) {
  const { t } = useTranslation()
  const { path, value, fault } = useSnapshot(bytes)
  const source = useFileSource()
  // The file is loaded again after it was saved.
  // biome-ignore lint/correctness/useExhaustiveDependencies: `modified` changes with the content
  useEffect(() => loadBytes(parsePath(file.path), source), [file.path, file.modified, source])
  if (fault) {
    return (
      <Empty
        picture={<Icon name="triangle-alert" />}
        title={t('table.unreadable')}
        hint={faultText(fault)}
        actions={
          <Button onClick={() => loadBytes(parsePath(file.path), source)}>
            {t('common.tryAgain')}
          </Button>
        }
      />
    )
  }
  if (path !== file.path || !value) {
    return <Loading />
  }
  // The snapshot of a `ref` is the bytes themselves.
  return (
    <LoadedTable
      encodingKey={source.keyOf(file.path)}
      name={file.name}
      content={value as Uint8Array<ArrayBuffer>}
    />
  )
}

interface LoadedTableProps {
  /** What the chosen encoding is remembered for. */
  encodingKey: string
  name: string
  content: Uint8Array<ArrayBuffer>
}

function LoadedTable({ encodingKey, name, content }: LoadedTableProps) {
  const { t } = useTranslation()
  const [encoding, setEncoding] = useState(
    () => decodeText(content, chosenEncoding(encodingKey)).encoding,
  )
  const [separator, setSeparator] = useState<Separator>('auto')
  const text = useMemo(() => new TextDecoder(encoding).decode(content), [content, encoding])
  const table = useMemo(() => parseTable(text, separator), [text, separator])
  const [filter, setFilter] = useState('')
  const rows = table.rows.length
  return (
    <div className="TableView">
      <div className="TableView__bar" role="toolbar" aria-label={t('table.reading')}>
        <Select
          aria-label={t('table.separator')}
          value={separator}
          options={(['auto', 'comma', 'semicolon', 'tab', 'pipe', 'both'] as const).map((one) => ({
            value: one,
            label:
              one === 'auto'
                ? t('table.auto', { separator: t(`table.separators.${table.separator}`) })
                : t(`table.separators.${one}`),
          }))}
          onChange={({ target }) => {
            if (isSeparator(target.value)) setSeparator(target.value)
          }}
        />
        <EncodingSelect
          value={encoding}
          onChange={(chosen) => {
            setEncoding(chosen)
            rememberEncoding(encodingKey, chosen)
          }}
        />
        <Input
          type="search"
          aria-label={t('table.filter')}
          placeholder={t('table.filter')}
          value={filter}
          autoComplete="off"
          spellCheck={false}
          onChange={({ target }) => setFilter(target.value)}
        />
        <span className="TableView__facts" role="status">
          {t('table.rows', { count: rows, value: formatNumber(rows) })},{' '}
          {t('table.columns', { count: table.columns, value: formatNumber(table.columns) })}
        </span>
      </div>
      <TableGrid table={table} label={name} filter={filter} />
    </div>
  )
}

function isSeparator(value: string): value is Separator {
  return Object.hasOwn(SEPARATORS, value)
}
