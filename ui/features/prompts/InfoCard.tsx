import type { ReactNode } from 'react'
import { Button } from '#ui/components/Button.tsx'
import { Dialog } from '#ui/components/Dialog.tsx'
import {
  formatDateRange,
  formatExactSize,
  formatFullDate,
  formatNumber,
  formatSize,
} from '#ui/i18n/format.ts'
import { useTranslation } from '#ui/i18n/i18n.ts'
import { kindOf } from '#ui/lib/kinds.ts'
import { listing } from '#ui/state/listing.ts'
import type { Entry } from '#wire/entry.ts'
import { parentPath, parsePath, segmentsOf, type TreePath } from '#wire/paths.ts'
import type { CardProps } from './card.ts'
import './InfoCard.css'

export function InfoCard({ question, onCancel }: CardProps<'info'>) {
  const { t } = useTranslation()
  // With nothing selected it is about the place itself.
  const here = listing.entry ? [listing.entry] : []
  const entries = question.entries.length > 0 ? question.entries : here
  const [only, ...others] = entries
  const single = only && others.length === 0
  return (
    <Dialog
      title={
        single ? only.name || t('places.home') : t('prompts.info.title', { count: entries.length })
      }
      onClose={onCancel}
      actions={<Button onClick={onCancel}>{t('common.close')}</Button>}
    >
      <dl className="InfoCard">
        {single ? <OneEntry entry={only} /> : <ManyEntries entries={entries} />}
      </dl>
    </Dialog>
  )
}

function OneEntry({ entry }: { entry: Entry }) {
  const { t } = useTranslation()
  const folder = parentPath(parsePath(entry.path))
  return (
    <>
      <Fact label={t('details.kind')}>{t(`kinds.${kindOf(entry)}`)}</Fact>
      {!entry.isDir && (
        <Fact label={t('details.size')}>
          {formatSize(entry.size)}
          <small>{formatExactSize(entry.size)}</small>
        </Fact>
      )}
      <Fact label={t('details.modified')}>{formatFullDate(entry.modified)}</Fact>
      <Fact label={t('details.in')}>{placeName(folder, t('places.home'))}</Fact>
    </>
  )
}

function ManyEntries({ entries }: { entries: readonly Entry[] }) {
  const { t } = useTranslation()
  const files = entries.filter((entry) => !entry.isDir)
  const folders = entries.length - files.length
  const bytes = files.reduce((sum, file) => sum + file.size, 0)
  const times = entries.map((entry) => Date.parse(entry.modified)).filter(Number.isFinite)
  return (
    <>
      <Fact label={t('details.selected')}>
        {folders > 0 && <span>{t('listing.folders', countOf(folders))}</span>}
        {files.length > 0 && <span>{t('listing.files', countOf(files.length))}</span>}
      </Fact>
      {files.length > 0 && (
        <Fact label={t('details.size')}>
          {formatSize(bytes)}
          <small>{formatExactSize(bytes)}</small>
        </Fact>
      )}
      {times.length > 0 && (
        <Fact label={t('details.modified')}>
          {formatDateRange(new Date(earliest(times)), new Date(-earliest(times.map((ms) => -ms))))}
        </Fact>
      )}
    </>
  )
}

function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className="InfoCard__fact">
      <dt>{label}</dt>
      <dd dir="auto">{children}</dd>
    </div>
  )
}

function countOf(count: number) {
  return { count, value: formatNumber(count) }
}

function placeName(folder: TreePath, home: string): string {
  return [home, ...segmentsOf(folder)].join(' / ')
}

/** Of any number: `Math.min(...times)` has a limit. */
function earliest(times: readonly number[]): number {
  return times.reduce((least, time) => Math.min(least, time), Number.POSITIVE_INFINITY)
}
